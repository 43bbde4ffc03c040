package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
	"multitext/stages/gofer/internal/testkit/storetest"
)

// far opens a place behind sshd and closes it with the test.
func far(t testing.TB, rawURL string, o store.Options) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), rawURL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func sshOptions(d *servertest.SSHD) store.Options {
	return store.Options{Identity: d.Identity, KnownHosts: d.KnownHosts, Timeout: 20 * time.Second}
}

func listed(ctx context.Context, s store.Store) (names []string, err error) {
	for e, err := range s.List(ctx) {
		if err != nil {
			return names, err
		}
		names = append(names, e.Name)
	}
	return names, nil
}

func TestSFTP(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	d := servertest.StartSSHD(t)
	storetest.Run(t, func(t *testing.T) storetest.Place {
		dir := filepath.Join(t.TempDir(), "outgoing", "arts")
		return storetest.Place{
			Open: func(t *testing.T) store.Store {
				s, err := store.Open(t.Context(), d.URL(dir), sshOptions(d))
				if err != nil {
					t.Fatal(err)
				}
				return s
			},
			Plant: func(t *testing.T, name string, content []byte) { plant(t, dir, name, content) },
			Many:  300,
		}
	})
}

// Below the home of the account.
func TestSFTPHome(t *testing.T) {
	d := servertest.StartSSHD(t)
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(home, ".gofer-test-")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(dir)
	plant(t, dir, "inside", []byte("x"))
	s := far(t, d.URL("/~/"+filepath.Base(dir)), sshOptions(d))
	if names, err := listed(t.Context(), s); err != nil || len(names) != 1 || names[0] != "inside" {
		t.Errorf("%v, %v", names, err)
	}
}

// Who is not who he was, or cannot prove who he is, gets a word on what to do.
func TestSFTPRefusals(t *testing.T) {
	d := servertest.StartSSHD(t)
	dir := t.TempDir()
	other := servertest.NewKey(t, dir, "other")
	locked := servertest.NewKey(t, dir, "locked", "-t", "ed25519", "-N", "passphrase")
	rsa := servertest.NewKey(t, dir, "rsa", "-t", "rsa", "-b", "2048", "-N", "")
	open := servertest.NewKey(t, dir, "open")
	os.Chmod(open, 0o644)
	garbage := filepath.Join(dir, "garbage")
	plant(t, dir, "garbage", []byte("no line of known hosts"))
	os.Chmod(garbage, 0o600)
	address := d.Address()
	for _, c := range []struct {
		name, identity, known string
		want                  []string
	}{
		{"other key of the host", d.Identity, servertest.KnownHosts(t, filepath.Join(dir, "k1"), other+".pub", address),
			[]string{"presents an unknown key, ssh-ed25519 SHA256:", "k1:1)", "ask its administrator"}},
		{"key of another type", d.Identity, servertest.KnownHosts(t, filepath.Join(dir, "k2"), rsa+".pub", address),
			[]string{"no common algorithm for host key", "known keys: ssh-rsa SHA256:", "k2:1)"}},
		{"unknown host", d.Identity, d.Known(t, "k3", "127.0.0.2:22"), []string{"k3 has no key of [127.0.0.1]:",
			"ssh-keyscan -p"}},
		{"revoked", d.Identity, revoked(t, d, filepath.Join(dir, "k4")), []string{"is revoked in"}},
		{"no file of known hosts", d.Identity, "", []string{"-known-hosts is missing"}},
		{"known hosts are not there", d.Identity, "nowhere", []string{"known hosts", "nowhere"}},
		{"known hosts are garbage", d.Identity, garbage, []string{"garbage:1"}},
		{"wrong key", other, d.KnownHosts, []string{"does not let", "in with " + other, "authorized_keys"}},
		{"key with a passphrase", locked, d.KnownHosts, []string{"has a passphrase", "ssh-add"}},
		{"key that others may read", open, d.KnownHosts, []string{"others may read", "chmod 600"}},
		{"key that is none", garbage, d.KnownHosts, []string{"garbage: ssh: no key found"}},
		{"no key", "", d.KnownHosts, []string{"-identity", "SSH_AUTH_SOCK"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("SSH_AUTH_SOCK", "")
			s, err := store.Open(t.Context(), d.URL(dir), store.Options{Identity: c.identity, KnownHosts: c.known})
			if err == nil {
				defer s.Close()
				_, err = listed(t.Context(), s)
			}
			if !errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrUnreachable) {
				t.Fatalf("%v, want ErrRefused alone", err)
			}
			for _, want := range append(c.want, d.URL(dir)) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nhas not %q", err, want)
				}
			}
		})
	}
}

func revoked(t *testing.T, d *servertest.SSHD, file string) string {
	t.Helper()
	line, err := os.ReadFile(d.KnownHosts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, "%s@revoked * %s", line, strings.SplitN(string(line), " ", 2)[1]),
		0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A host of which a second, wrong key is known as well is let in by the right one.
func TestSFTPSeveralKeys(t *testing.T) {
	d := servertest.StartSSHD(t)
	rsa := servertest.NewKey(t, d.Dir, "rsa", "-t", "rsa", "-b", "2048", "-N", "")
	both := servertest.KnownHosts(t, filepath.Join(d.Dir, "both"), rsa+".pub", d.Address())
	line, _ := os.ReadFile(d.KnownHosts)
	file, err := os.OpenFile(both, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	file.Write(line)
	file.Close()
	o := sshOptions(d)
	o.KnownHosts = both
	if _, err := listed(t.Context(), far(t, d.URL(t.TempDir()), o)); err != nil {
		t.Error(err)
	}
}

// A key with a passphrase is used by way of an agent.
func TestSFTPAgent(t *testing.T) {
	d := servertest.StartSSHD(t)
	socket := filepath.Join(t.TempDir(), "agent")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := agent.Start(); err != nil {
		t.Skip(err)
	}
	defer agent.Wait()
	defer agent.Process.Kill()
	waitFor(t, func() bool { c, err := net.Dial("unix", socket); return err == nil && c.Close() == nil })
	t.Setenv("SSH_AUTH_SOCK", socket)
	o := sshOptions(d)
	o.Identity = ""
	if _, err := listed(t.Context(), far(t, d.URL(t.TempDir()), o)); !errors.Is(err, store.ErrRefused) {
		t.Errorf("with an empty agent: %v, want ErrRefused", err)
	}
	if out, err := exec.Command("ssh-add", d.Identity).CombinedOutput(); err != nil {
		t.Skipf("ssh-add: %v: %s", err, out)
	}
	if _, err := listed(t.Context(), far(t, d.URL(t.TempDir()), o)); err != nil {
		t.Error(err)
	}
}

// An agent that does not answer, as one whose owner is to press a key, is not waited for without
// end.
func TestSFTPSilentAgent(t *testing.T) {
	d := servertest.StartSSHD(t)
	socket := filepath.Join(t.TempDir(), "agent")
	agent, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	t.Setenv("SSH_AUTH_SOCK", socket)
	s := far(t, d.URL(t.TempDir()), store.Options{KnownHosts: d.KnownHosts, Timeout: 200 * time.Millisecond})
	ended := make(chan error, 1)
	go func() {
		_, err := listed(t.Context(), s)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("listed, though nobody proved who we are")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it still waits for the agent")
	}
}

func waitFor(t testing.TB, ready func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("it did not come about within a minute")
		}
	}
}

// What the other machine does not do is unreachable, whichever way it does not: nobody listens,
// another program does, its files are not offered.
func TestSFTPUnreachable(t *testing.T) {
	d := servertest.StartSSHD(t)
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close() // connections wait in its queue
	closes, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closes.Close()
	visits := make(chan bool, 100)
	go func() {
		for {
			c, err := closes.Accept()
			if err != nil {
				return
			}
			c.Close()
			visits <- true
		}
	}()
	dead := "127.0.0.1:1"
	for _, address := range []string{mute.Addr().String(), closes.Addr().String(), dead} {
		o := sshOptions(d)
		o.KnownHosts = d.Known(t, "known-"+address, address)
		o.Timeout = 300 * time.Millisecond
		_, err := listed(t.Context(), far(t, d.URLAt(address, "/tmp"), o))
		if !errors.Is(err, store.ErrUnreachable) || errors.Is(err, store.ErrRefused) ||
			!strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v, want ErrUnreachable alone", address, err)
		}
	}
	if n := len(visits); n < 2 {
		t.Errorf("who was dropped at once came %d times, want several", n)
	}
}

// An sshd that gives no files.
func TestSFTPNoSubsystem(t *testing.T) {
	d := servertest.StartSSHD(t, "ForceCommand /bin/false")
	_, err := listed(t.Context(), far(t, d.URL("/tmp"), sshOptions(d)))
	if !errors.Is(err, store.ErrRefused) || !strings.Contains(err.Error(), "Subsystem sftp internal-sftp") {
		t.Errorf("%v, want ErrRefused", err)
	}
}

// wired is a folder behind an sshd and a line to it that can be lost.
func wired(t *testing.T, dir string, timeout time.Duration) (*servertest.SSHD, *servertest.Wire, store.Store) {
	t.Helper()
	d := servertest.StartSSHD(t)
	wire := servertest.NewWire(t, d.Address())
	o := sshOptions(d)
	o.KnownHosts = d.Known(t, "wired", wire.Address)
	o.Timeout = timeout
	return d, wire, far(t, d.URLAt(wire.Address, dir), o)
}

// A line that is cut, a session that is killed, and a line that falls silent, in the midst of a
// file: an error that says unreachable, and the next call connects anew.
func TestSFTPLostLink(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	dir := t.TempDir()
	d, wire, s := wired(t, dir, time.Second)
	content := strings.Repeat("0123456789abcdef", 1<<18) // 4 MiB: more than is read ahead
	plant(t, dir, "long", []byte(content))
	for name, lose := range map[string]func(){
		"cut":    wire.Cut,
		"killed": func() { d.KillSessions() },
		"silent": func() { wire.Silence(true) },
	} {
		t.Run(name, func(t *testing.T) {
			defer wire.Silence(false)
			if err := readLosing(t, s, lose).Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			wire.Silence(false)
			if text, err := storetest.Read(t.Context(), s, "long"); err != nil || text != content {
				t.Errorf("afterwards: %d bytes, %v", len(text), err)
			}
			lose()
			if err := s.Remove(t.Context(), "other"); !errors.Is(err, store.ErrUnreachable) {
				t.Errorf("remove: %v, want ErrUnreachable", err)
			}
			wire.Silence(false)
			if err := s.Remove(t.Context(), "other"); err != nil {
				t.Errorf("remove: %v", err)
			}
		})
	}
}

// readLosing reads the name "long", which has more than is read ahead, while the link is lost.
func readLosing(t *testing.T, s store.Store, lose func()) io.Closer {
	t.Helper()
	r, err := s.Open(t.Context(), "long")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	lose()
	if n, err := io.Copy(io.Discard, r); !errors.Is(err, store.ErrUnreachable) {
		t.Errorf("after %d bytes more: %v, want ErrUnreachable", n, err)
	}
	return r
}

// One who waits on a silent line may give up.
func TestSFTPGivesUp(t *testing.T) {
	_, wire, s := wired(t, t.TempDir(), time.Hour)
	for name, call := range map[string]func(context.Context) error{
		"list":   func(ctx context.Context) error { _, err := listed(ctx, s); return err },
		"open":   func(ctx context.Context) error { _, err := s.Open(ctx, "name"); return err },
		"remove": func(ctx context.Context) error { return s.Remove(ctx, "name") },
	} {
		t.Run(name, func(t *testing.T) {
			wire.Silence(false)
			if _, err := listed(t.Context(), s); err != nil { // connected
				t.Fatal(err)
			}
			wire.Silence(true)
			for range 2 { // on the connection that there is, and on the way to another
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v, want the context's end", err)
				}
				cancel()
			}
		})
	}
}

// A silence between two calls is none of the other side's business.
func TestSFTPIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const timeout = 500 * time.Millisecond
	_, wire, s := wired(t, t.TempDir(), timeout)
	if _, err := listed(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * timeout) // what is tested is that time passes
	if _, err := listed(t.Context(), s); err != nil {
		t.Error(err)
	}
	if n := wire.Calls(); n != 1 {
		t.Errorf("%d connections, want one that is kept", n)
	}
}

func TestSFTPURLs(t *testing.T) {
	for rawURL, want := range map[string]string{
		"sftp://host/x":       "want sftp://USER@HOST",
		"sftp://me@/x":        "want sftp://USER@HOST",
		"sftp://me@host":      "want sftp://USER@HOST",
		"sftp://me@host/":     "want sftp://USER@HOST",
		"sftp://me@host/x?y":  "want sftp://USER@HOST",
		"sftp://me@host/x#y":  "want sftp://USER@HOST",
		"sftp://me:pw@host/x": "remove the password from the URL",
	} {
		if s, err := store.Open(t.Context(), rawURL, store.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", rawURL, s, err, want)
		}
	}
}
