package workdir

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
)

// helper is the variable that makes this test binary play another process: it
// takes the lock of the directory that it names, says so, and waits.
const helper = "WORKDIR_TEST_TAKE"

func TestMain(m *testing.M) {
	root := os.Getenv(helper)
	if root == "" {
		os.Exit(m.Run())
	}
	f, err := os.Open(root)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		os.Exit(1)
	}
	if os.Getenv("WORKDIR_TEST_LEAVE") != "" {
		orphan := exec.Command("sleep", "100")
		orphan.ExtraFiles = []*os.File{f}
		orphan.Start()
		os.Stdout.WriteString("taken\n")
		os.Exit(0)
	}
	os.Stdout.WriteString("taken\n")
	time.Sleep(time.Minute)
}

// taker starts a process that takes the lock, and returns once it has.
func taker(t *testing.T, root string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), helper+"="+root), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	watch := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }) // it says nothing
	defer watch.Stop()
	said := make([]byte, 6)
	if _, err := out.Read(said); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// A manager that has taken the lock holds it: the next one is told its process and its start, and
// does not end it as it would an orphan.
func TestLockTellsWhoHoldsIt(t *testing.T) {
	root := t.TempDir()
	before := time.Now().Add(-2 * time.Second) // boot time and ticks are not so exact
	other := taker(t, root)
	d := &Dir{Root: root, Disk: txlog.OS{}}
	err := d.Lock()
	var held *Held
	if !errors.As(err, &held) || held.Pid != other.Process.Pid {
		t.Fatalf("%v, want held by %d", err, other.Process.Pid)
	}
	if since, err := time.Parse(time.RFC3339, held.Since); err != nil || since.Before(before) ||
		since.After(time.Now().Add(2*time.Second)) {
		t.Errorf("since %s, %v; it began at %s", held.Since, err, before)
	}
	if seen := Holder(root); seen == nil || seen.Pid != held.Pid {
		t.Errorf("who only looks sees %+v", seen)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil || zombie(other.Process.Pid) {
		t.Errorf("the other was ended (%v)", err)
	}
	other.Process.Kill()
	other.Wait()
	if held := Holder(root); held != nil {
		t.Errorf("when it has ended, it is held by %+v", held)
	}
}

func zombie(pid int) bool {
	f := stat(pid)
	return len(f) == 0 || f[0] == "Z"
}

// What a dead manager left running is ended, even if the crawl's path is a symbolic link.
func TestLockEndsOrphans(t *testing.T) {
	lockEndsOrphans(t, t.TempDir())
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	lockEndsOrphans(t, link)
}

func lockEndsOrphans(t *testing.T, root string) {
	dead := taker(t, root, "WORKDIR_TEST_LEAVE=1")
	dead.Wait()
	f, err := os.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	orphans, manager := lockHolders(f)
	if len(orphans) != 1 || manager != 0 {
		t.Fatalf("holders %v, manager %d; nothing is tested", orphans, manager)
	}
	d := &Dir{Root: root, Disk: txlog.OS{}}
	if err := d.Lock(); err != nil {
		t.Fatal(err)
	}
	defer d.Unlock()
	if !zombie(orphans[0]) {
		t.Errorf("the orphan %d still runs", orphans[0])
	}
	if held := Holder(root); held == nil || held.Pid != os.Getpid() {
		t.Errorf("held by %v, want this process", held)
	}
}

// Open refuses what is no directory, and names it.
func TestOpenWhatIsNoDirectory(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o666), os.Symlink("/nowhere/at/all", link)); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{file, link} {
		if _, err := Open(root, txlog.OS{}, func(string) {}); err == nil ||
			!strings.Contains(err.Error(), root+", which is not a directory") {
			t.Errorf("%s: %v", root, err)
		}
	}
}

// A start ends a process with the mark of a run of its crawl, and none with the mark of a stage run
// by hand, or of a directory of the same name in a container.
func TestLockEndsItsOwnAlone(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	begun := func(report, script string) <-chan error {
		cmd := exec.Command("sh", "-c", script+" echo up; exec sleep 100")
		cmd.Env = append(os.Environ(), "MT_REPORT="+report)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill() })
		_, err = out.Read(make([]byte, 3))
		must(t, err)
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		return ended
	}
	report := root + "/work/000000000001/report"
	own := begun(report, "")
	others := []<-chan error{begun("work/000000000001/report", ""), begun(root+"/mine/try/report", "")}
	if os.Getuid() == 0 { // only root mounts
		others = append(others,
			begun(report, `[ "$MOUNTED" ] || MOUNTED=1 exec unshare -m sh -c `+
				`"mount -t tmpfs none . && echo up && exec sleep 100";`))
	}
	d := &Dir{Root: root, Disk: txlog.OS{}}
	must(t, d.Lock())
	defer d.Unlock()
	if err := <-own; err == nil {
		t.Error("its own lives on")
	}
	for i, ended := range others {
		select {
		case err := <-ended:
			t.Errorf("other %d was ended: %v", i, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
