package store_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
)

// A peerSetup is a machine as the documentation of gofer has it, with accounts that there are on
// every machine: nobody comes for arts, games for law, and the crawl is daemon's.
type peerSetup struct {
	*servertest.SSHD
	*testing.T
	base, crawl string
}

// documented are the lines of sshd's configuration from the documentation, with other folders and
// accounts.
func documented(t testing.TB, base string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?m)^    Match User .*\n(     .*\n)+`).FindString(string(text))
	if block == "" {
		t.Fatal("the documentation has no Match block")
	}
	return strings.NewReplacer("c4-*", "nobody,games", "/srv/peers", base+"/peers", "/etc/ssh/peers",
		base+"/keys").Replace(block)
}

func newPeerSetup(t *testing.T) *peerSetup {
	if os.Getuid() != 0 {
		t.Skip("only root can shut somebody in")
	}
	base, err := os.MkdirTemp("/srv", ".gofer-test-") // all above a chroot must be root's, as those of /tmp are not
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	p := &peerSetup{T: t, base: base, crawl: filepath.Join(base, "crawl")}
	p.must(os.Chmod(base, 0o755))
	for _, name := range []string{"log", "secret", "archive/page", "outgoing/arts/batch", "outgoing/law/batch"} {
		plant(t, filepath.Join(p.crawl, filepath.Dir(name)), filepath.Base(name), []byte("what is in "+name))
	}
	p.must(filepath.WalkDir(p.crawl, func(path string, e fs.DirEntry, err error) error {
		p.must(err)
		mode := os.FileMode(0o444)
		if e.IsDir() {
			mode = 0o700
		}
		return errors.Join(os.Chmod(path, mode), os.Chown(path, p.id("daemon"), -1))
	}))
	p.SSHD = servertest.StartSSHD(t, documented(t, base))
	p.admit("arts", "nobody")
	p.admit("law", "games")
	return p
}

func (p *peerSetup) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *peerSetup) id(name string) int {
	p.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		p.Skip(err)
	}
	id, err := strconv.Atoi(u.Uid)
	p.must(err)
	return id
}

// admit gives a node an account, as the documentation has it.
func (p *peerSetup) admit(node, account string) {
	p.Helper()
	u, err := user.Lookup(account)
	p.must(err)
	group, err := strconv.Atoi(u.Gid)
	p.must(err)
	folder, seen := filepath.Join(p.crawl, "outgoing", node), filepath.Join(p.base, "peers", account, "outgoing")
	p.must(os.Chown(folder, -1, group))
	p.must(os.Chmod(folder, 0o770))
	p.must(os.MkdirAll(seen, 0o755))
	p.must(os.MkdirAll(filepath.Join(p.base, "keys"), 0o755))
	if err := syscall.Mount(folder, seen, "", syscall.MS_BIND, ""); err != nil {
		p.Skip(err)
	}
	p.Cleanup(func() { syscall.Unmount(seen, syscall.MNT_DETACH) })
	public, err := os.ReadFile(servertest.NewKey(p.T, p.Dir, node) + ".pub")
	p.must(err)
	p.must(os.WriteFile(filepath.Join(p.base, "keys", account), fmt.Appendf(nil, "restrict %s", public), 0o644))
}

// does tells whether the account of a node can do what a command of sftp(1) says.
func (p *peerSetup) does(node, account, command string) bool {
	host, port, _ := strings.Cut(p.Address(), ":")
	cmd := exec.Command("sftp", "-q", "-b", "-", "-P", port, "-i", filepath.Join(p.Dir, node),
		"-o", "IdentitiesOnly=yes", "-o", "UserKnownHostsFile="+p.KnownHosts, account+"@"+host)
	cmd.Dir, cmd.Stdin = p.TempDir(), strings.NewReader(command+"\n")
	out, err := cmd.CombinedOutput()
	p.Logf("%s: %v %s", command, err, out)
	return err == nil
}

// tree is what the crawl's folder holds.
func (p *peerSetup) tree() string {
	var b strings.Builder
	filepath.WalkDir(p.crawl, func(path string, e fs.DirEntry, err error) error {
		p.must(err)
		text, _ := os.ReadFile(path)
		info, err := e.Info()
		fmt.Fprintln(&b, path, info.Mode(), string(text))
		return err
	})
	return b.String()
}

// Each peer takes what is for it, and sees and changes nothing else of the crawl.
func TestSFTPPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	p := newPeerSetup(t)
	before := p.tree()
	for _, c := range []struct {
		command string
		can     bool
	}{
		{"ls /outgoing/batch", true},
		{"get /outgoing/batch", true},
		{"get /log", false},
		{"get /outgoing/../../log", false},
		{"get " + p.crawl + "/log", false},
		{"get " + p.crawl + "/outgoing/law/batch", false},
		{"ls " + p.base, false},
		{"get /etc/passwd", false},
		{"rename /outgoing/batch /outgoing/other", false},
		{"ln -s /log /outgoing/link", false},
		{"ln /outgoing/batch /outgoing/link", false},
		{"mkdir /outgoing/folder", false},
		{"chmod 777 /outgoing", false},
		{"put /etc/passwd /outgoing/batch", false},
		{"put /etc/passwd /passwd", false},
		{"rm /outgoing/other", false},
	} {
		if got := p.does("arts", "nobody", c.command); got != c.can {
			t.Errorf("%s: done %v, want %v", c.command, got, c.can)
		}
	}
	if after := p.tree(); after != before {
		t.Errorf("the crawl was\n%s and is\n%s", before, after)
	}
	if p.does("law", "nobody", "ls /") {
		t.Error("law's key lets in as arts")
	}
	p.does("arts", "nobody", "put /etc/passwd /outgoing/mine")
	if info, err := os.Stat(filepath.Join(p.crawl, "outgoing/arts/mine")); err == nil && info.Size() > 0 {
		t.Errorf("it has written %d bytes", info.Size())
	}
}

// What gofer does is what such an account can.
func TestSFTPPeerIsServed(t *testing.T) {
	p := newPeerSetup(t)
	s := far(t, "sftp://games@"+p.Address()+"/outgoing", store.Options{Identity: filepath.Join(p.Dir, "law"),
		KnownHosts: p.KnownHosts})
	if names, err := listed(t.Context(), s); err != nil || len(names) != 1 || names[0] != "batch" {
		t.Errorf("%v, %v", names, err)
	}
	f, err := s.Open(t.Context(), "batch")
	p.must(err)
	defer f.Close()
	if text, err := io.ReadAll(f); err != nil || string(text) != "what is in outgoing/law/batch" {
		t.Errorf("%q, %v", text, err)
	}
	p.must(s.Remove(t.Context(), "batch"))
	if _, err := os.Stat(filepath.Join(p.crawl, "outgoing/law/batch")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there still: %v", err)
	}
}
