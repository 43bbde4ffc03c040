package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"multitext/manager/internal/workdir"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"manager": main})
}

// tests are those of this package, and remove the programs that they share.
type tests struct{ *testing.M }

func (t tests) Run() int {
	defer faulty.Remove()
	return t.M.Run()
}

// scriptsLimit bounds all scripts together; they take a few seconds.
const scriptsLimit = 3 * time.Minute

// TestVerbs runs the scripts of testdata/run: each is a story of commands, with
// what they print. Stages are played by shell commands.
func TestVerbs(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/run",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		// A script that fails tells its managers to stop, which wait for their
		// stages: those wait for what the script will not do any more.
		Deadline: time.Now().Add(scriptsLimit),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "await": await, "signal": signalManager, "tree": tree, "rewrite": rewrite,
		},
	})
}

// code runs a command that must end with the given exit code: code N manager …
func code(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		if _, after, ok := strings.Cut(err.Error(), "exit status "); ok {
			got, _ = strconv.Atoi(after)
		} else {
			got = -1
		}
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d: %v", got, want, err)
	}
}

// await waits until a file matches a pattern, and holds a text: await PATTERN
// [TEXT]. It is how a script waits for a manager in the background.
func await(ts *testscript.TestScript, neg bool, args []string) {
	pattern, want := ts.MkAbs(args[0]), ""
	if len(args) > 1 {
		want = args[1]
	}
	holds := func(file string) bool {
		text, err := os.ReadFile(file)
		return want == "" || err == nil && strings.Contains(string(text), want)
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		found, err := filepath.Glob(pattern)
		ts.Check(err)
		if slices.ContainsFunc(found, holds) != neg {
			return
		}
	}
	ts.Fatalf("%s: still not so", args[0])
}

// signalManager sends a signal to the manager that holds a crawl, and waits
// until it is gone where the signal is KILL: signal DIR STOP|KILL.
func signalManager(ts *testscript.TestScript, neg bool, args []string) {
	root := ts.MkAbs(args[0])
	held := workdir.Holder(root)
	if held == nil {
		ts.Fatalf("no manager holds %s", root)
	}
	sig := map[string]syscall.Signal{"STOP": syscall.SIGSTOP, "KILL": syscall.SIGKILL}[args[1]]
	ts.Check(syscall.Kill(held.Pid, sig))
	for sig == syscall.SIGKILL && workdir.Holder(root) != nil {
		time.Sleep(time.Millisecond)
	}
}

// tree compares a directory with how the last tree of it found it: verbs that
// only read leave every byte and every time of change alone.
func tree(ts *testscript.TestScript, neg bool, args []string) {
	var b strings.Builder
	ts.Check(filepath.Walk(ts.MkAbs(args[0]), func(path string, info os.FileInfo, err error) error {
		if err == nil {
			b.WriteString(path + " " + info.Mode().String() + " " + strconv.FormatInt(info.Size(), 10) + " " +
				info.ModTime().String() + "\n")
		}
		return err
	}))
	if last := ts.Getenv("TREE"); last != "" && last != b.String() {
		ts.Fatalf("changed from\n%s to\n%s", last, b.String())
	}
	ts.Setenv("TREE", b.String())
}

// rewrite replaces what a regular expression matches in a file:
// rewrite FILE RE TEXT.
func rewrite(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	re := regexp.MustCompile(args[1])
	if !re.MatchString(text) {
		ts.Fatalf("%s: nothing matches %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(re.ReplaceAllString(text, args[2])), 0o666))
}
