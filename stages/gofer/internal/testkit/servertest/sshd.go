package servertest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// SSHD is an OpenSSH server of a test's own, for the account that runs the test. The one key that
// it knows may do nothing but sftp, as the documentation of gofer tells users to set it up.
type SSHD struct {
	process
	User       string
	Identity   string // file of the private key that it lets in
	KnownHosts string // file with the server's key
	Dir        string // where all its files are
}

// StartSSHD starts one. Options are more lines of its configuration.
func StartSSHD(t testing.TB, options ...string) *SSHD {
	t.Helper()
	program, err := look("sshd", "/usr/sbin", "/usr/local/sbin", "/sbin")
	if err != nil {
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
	dir := t.TempDir()
	s := &SSHD{User: me.Username, Dir: dir, Identity: NewKey(t, dir, "identity")}
	s.address = freeAddress(t)
	host := NewKey(t, dir, "host")
	public := readText(t, s.Identity+".pub")
	write(t, filepath.Join(dir, "authorized_keys"), `restrict,command="internal-sftp" `+public)
	s.KnownHosts = s.Known(t, "known_hosts", s.address)

	_, port, _ := strings.Cut(s.address, ":")
	config := func(more ...string) string {
		return write(t, filepath.Join(dir, "config"), strings.Join(append([]string{
			"Port " + port,
			"ListenAddress 127.0.0.1",
			"HostKey " + host,
			"PidFile none",
			"AuthorizedKeysFile " + filepath.Join(dir, "authorized_keys"),
			"StrictModes no", // the folder of temporary files is everybody's
			"UsePAM no",
			"PasswordAuthentication no",
			"MaxStartups 1000",
			"Subsystem sftp internal-sftp",
			"LogLevel VERBOSE",
		}, append(more, options...)...), "\n")+"\n")
	}
	// Since 9.8 one who breaks off often is not let in for a while, and that is what the tests do.
	file := config("PerSourcePenalties no")
	if exec.Command(program, "-t", "-f", file).Run() != nil {
		file = config()
	}
	if out, err := exec.Command(program, "-t", "-f", file).CombinedOutput(); err != nil {
		t.Fatalf("%s -t: %v\n%s", program, err, out)
	}
	s.command = func() *exec.Cmd { return exec.Command(program, "-D", "-e", "-f", file) }
	s.Start(t)
	t.Cleanup(s.Kill)
	return s
}

// URL is the place of a folder of this machine behind the server.
func (s *SSHD) URL(folder string) string { return s.URLAt(s.address, folder) }

// URLAt is the place of a folder at another address, that of a Wire say.
func (s *SSHD) URLAt(address, folder string) string {
	return "sftp://" + s.User + "@" + address + folder
}

// Address is where the server listens.
func (s *SSHD) Address() string { return s.address }

// Known writes a file of known hosts that gives the server's key to each of the addresses.
func (s *SSHD) Known(t testing.TB, file string, addresses ...string) string {
	t.Helper()
	return KnownHosts(t, filepath.Join(s.Dir, file), filepath.Join(s.Dir, "host.pub"), addresses...)
}

// KnownHosts writes a file of known hosts that gives the public key of a file to each of the
// addresses.
func KnownHosts(t testing.TB, file, public string, addresses ...string) string {
	t.Helper()
	var text strings.Builder
	for _, address := range addresses {
		host, port, _ := strings.Cut(address, ":")
		fmt.Fprintf(&text, "[%s]:%s %s", host, port, readText(t, public))
	}
	return write(t, file, text.String())
}

// NewKey makes a pair of keys, dir/name and dir/name.pub, of the type or else of ed25519, and
// returns the private one's file.
func NewKey(t testing.TB, dir, name string, options ...string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if len(options) == 0 {
		options = []string{"-t", "ed25519", "-N", ""}
	}
	out, err := exec.Command("ssh-keygen", append(options, "-q", "-C", "", "-f", file)...).CombinedOutput()
	if err != nil {
		t.Skipf("ssh-keygen: %v: %s: apt-get install openssh-client", err, out)
	}
	return file
}

func readText(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
