package examples

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An interactive is a shell with a terminal of its own.
type interactive struct {
	t    *testing.T
	pty  *os.File
	said chan []byte
}

// startShell starts a shell in the folder of the bench.
func (b *bench) startShell(t *testing.T, shell string, args ...string) *interactive {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 250})
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd := exec.Command(shell, args...)
	cmd.Dir, cmd.Env = b.dir, b.shellEnv(t)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &interactive{t, pty, make(chan []byte, 1000)}
	go s.read()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); pty.Close() })
	return s
}

// shellEnv is the environment of a new user, who has the programs on PATH.
func (b *bench) shellEnv(t *testing.T) []string {
	return []string{"PATH=" + b.bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=dumb",
		"LC_ALL=C.UTF-8"}
}

func (s *interactive) read() {
	defer close(s.said)
	for {
		text := make([]byte, 4096)
		n, err := s.pty.Read(text)
		if err != nil {
			return
		}
		s.said <- text[:n]
	}
}

// do types keys and returns what a pattern finds in what the shell says then.
func (s *interactive) do(keys, pattern string) string {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
	var all bytes.Buffer
	for end := time.After(within); ; {
		if found := regexp.MustCompile(pattern).FindSubmatch(all.Bytes()); found != nil {
			return string(found[1])
		}
		select {
		case text, more := <-s.said:
			if all.Write(text); !more {
				s.t.Fatalf("after %q the shell ended; it said\n%q", keys, all.String())
			}
		case <-end:
			s.t.Fatalf("after %q there came no %s; it said\n%q", keys, pattern, all.String())
		}
	}
}

// completeAll reads the completion of a shell. Then it types each line and Tab, and makes what
// became of it, and a Q that the user goes on with, the argument of echo. The shell has the keys of
// Emacs.
func (s *interactive) completeAll(shell string) (out []string) {
	s.t.Helper()
	s.do("source <(manager completion "+shell+"); echo '['ready']'\r", `\n(\[ready\])`)
	for _, line := range typed {
		out = append(out, s.do(line.line+"\tQ\x01echo \"[\x05]\"\r", `\n\[(.*)Q\]\r`))
	}
	return out
}

func (b *bench) bash(t *testing.T, path string) []string {
	return b.startShell(t, path, "--norc", "--noprofile", "-i").completeAll("bash")
}

func (b *bench) zsh(t *testing.T, path string) []string {
	return b.startShell(t, path, "-f", "-i").completeAll("zsh")
}

// fish is asked for the candidates of each line, which it shows to scripts too. One candidate would
// become the last word.
func (b *bench) fish(t *testing.T, path string) (out []string) {
	t.Helper()
	for _, line := range typed {
		cmd := exec.Command(path, "--no-config", "-c", "manager completion fish | source; complete -C $argv", line.line)
		cmd.Dir, cmd.Env = b.dir, b.shellEnv(t)
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("fish: %v", err)
		}
		found := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		whole := line.line
		if word, _, _ := strings.Cut(found[0], "\t"); len(found) == 1 && word != "" {
			whole = whole[:strings.LastIndexByte(whole, ' ')+1] + word
			if !strings.HasSuffix(word, "/") && !strings.HasSuffix(word, "=") {
				whole += " "
			}
		}
		out = append(out, whole)
	}
	return out
}
