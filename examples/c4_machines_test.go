package examples

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Over sftp the crawlers come to the same as over folders: what each holds for another is behind a
// real sshd, whose one key may do nothing but that, and the URL in nodes.toml is all that differs.
func TestC4OverSSH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	address, login := startSSHD(t, dir)
	b := newC4Bench(t, 120, "-arrived {arrived} ", "", "gofer pull ",
		fmt.Sprintf("gofer pull -identity %s/identity -known-hosts %[1]s/known_hosts ", dir))
	b.few("sftp://" + login + "@" + address + b.dir + "/crawl/$FROM/outgoing/$TO")
	b.runAll("-var", "delay=0s")
	all := b.archives()
	of := b.owners(all)
	b.cameTo(b.simulate(rule{fetches: finder, keeps: byLabel(of), follows: byLabel(of)}), all)
	if sent := b.lawful(); sent < 50 {
		t.Errorf("%d pages were sent", sent)
	}
}

// startSSHD starts an sshd for this account, with its keys and the client's in dir.
func startSSHD(t *testing.T, dir string) (address, login string) {
	t.Helper()
	const sshd = "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		t.Skipf("%v: apt-get install openssh-server", err)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	if me.Uid == "0" { // sshd wants it there, and the system's own start makes it
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Skip(err)
		}
	}
	address = freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key := func(name string) (public string) {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f",
			filepath.Join(dir, name)).CombinedOutput()
		if err != nil {
			t.Skipf("ssh-keygen: %v: %s: apt-get install openssh-client", err, out)
		}
		text, err := os.ReadFile(filepath.Join(dir, name+".pub"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	file("authorized_keys", `restrict,command="internal-sftp" `+key("identity"))
	file("known_hosts", fmt.Sprintf("[127.0.0.1]:%s %s", port, key("host")))
	file("config", fmt.Sprintf("Port %s\nListenAddress 127.0.0.1\nHostKey %s/host\nPidFile none\n"+
		"AuthorizedKeysFile %[2]s/authorized_keys\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nMaxStartups 1000\nSubsystem sftp internal-sftp\n", port,
		dir))
	cmd := exec.Command(sshd, "-D", "-e", "-f", filepath.Join(dir, "config"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address, me.Username
		}
	}
	t.Fatal("sshd does not answer")
	return "", ""
}

// The unit of several machines is sound, as far as can be told without systemd at work.
func TestC4Unit(t *testing.T) {
	unit, err := os.ReadFile("c4/systemd/crawler@.service")
	if err != nil {
		t.Fatal(err)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze here: the unit is not tried")
	}
	text := strings.ReplaceAll(string(unit), "/srv/c4/bin/manager", "/bin/true")
	text = strings.ReplaceAll(text, "User=crawl", "User=root")
	name := filepath.Join(t.TempDir(), "crawler@arts.service")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", name).CombinedOutput(); err != nil ||
		strings.Contains(string(out), "crawler@") {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}
