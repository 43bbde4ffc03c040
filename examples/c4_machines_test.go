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

// Over sftp the crawlers come to the same as over folders: what each holds for another is behind a real sshd,
// whose one key may do nothing but that, and the URL in nodes.toml is all that differs.
func TestC4OverSSH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	address, login := startSSHD(t, dir)
	b := newC4Bench(t, 120, "-arrived {arrived} ", "", "gofer pull ", fmt.Sprintf("gofer pull -identity %s/identity -known-hosts %[1]s/known_hosts ", dir))
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
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", filepath.Join(dir, name)).CombinedOutput()
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
	file("config", fmt.Sprintf("Port %s\nListenAddress 127.0.0.1\nHostKey %s/host\nPidFile none\nAuthorizedKeysFile %[2]s/authorized_keys\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nMaxStartups 1000\nSubsystem sftp internal-sftp\n", port, dir))
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

// The unit and the batch file of several machines are sound, as far as can be told without systemd and
// Slurm at work; the array's task finds its node, and passes on how the manager ended.
func TestC4Machines(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("c4")); err != nil {
		t.Fatal(err)
	}
	t.Run("systemd", func(t *testing.T) {
		unit, err := os.ReadFile(filepath.Join(dir, "systemd/crawler@.service"))
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
		if out, err := exec.Command(analyze, "verify", name).CombinedOutput(); err != nil || strings.Contains(string(out), "crawler@") {
			t.Errorf("systemd-analyze verify: %v\n%s", err, out)
		}
	})
	t.Run("slurm", func(t *testing.T) {
		if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
			t.Fatal(err)
		}
		// First nothing is left to do; then something is set aside; then the script is bad.
		const manager = "#!/bin/sh\necho \"$@\" >> called\nexit $(($(wc -l < called) - 1))\n"
		if err := os.WriteFile(filepath.Join(dir, "bin/manager"), []byte(manager), 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "slurm/array.sbatch")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=15", "PAUSE=0")
		out, _ := cmd.CombinedOutput()
		called, _ := os.ReadFile(filepath.Join(dir, "called"))
		if want := strings.Repeat("run -var node=world c4.toml\n", 3); cmd.ProcessState.ExitCode() != 2 || string(called) != want {
			t.Errorf("exit code %d, the manager was called with\n%s%s", cmd.ProcessState.ExitCode(), called, out)
		}
		cmd = exec.Command("bash", "slurm/array.sbatch")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=16")
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "no node of this number") {
			t.Errorf("task 16: %v, and it said %s", err, out)
		}
	})
}
