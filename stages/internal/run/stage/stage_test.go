package stage

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var toy = Tool{Name: "toy", Short: "copies", Long: "Reads lines.", Example: "toy < a"}

// try runs body as the stage toy.
func try(ctx context.Context, body Body, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(ctx, toy, func(fs *flag.FlagSet) Body {
		fs.String("rules", "", "read the rules from `FILE`")
		return body
	}, args, strings.NewReader("input"), &out, &err)
	return code, out.String(), err.String()
}

func fine(context.Context, *Env) error { return nil }

func TestExitCodes(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name   string
		args   []string
		err    error
		code   int
		stderr string
	}{
		{"done", nil, nil, ExitDone, "toy: 0 in, 0 out\n"},
		{"failed", nil, boom, ExitFailed, "toy: boom\n"},
		{"later", nil, TryLater(boom), ExitLater, "toy: boom\n"},
		{"hostile", nil, errors.New("a\x1b[2J\rb\u202e\u009b\tü\nc"), ExitFailed,
			"toy: a\\x1b[2J\\rb\\u202e\\u009b\tü\nc\n"},
		{"usage", nil, Usagef("no %s", "flag"), ExitUsage, "toy: no flag\ntoy -h shows the flags\n"},
		{"unknown flag", []string{"-x"}, nil, ExitUsage,
			"toy: flag provided but not defined: -x\ntoy -h shows the flags\n"},
	} {
		body := func(context.Context, *Env) error { return c.err }
		code, stdout, stderr := try(t.Context(), body, c.args...)
		if code != c.code || stderr != c.stderr || stdout != "" {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", c.name, code, stdout, stderr)
		}
	}
}

// With -check-arguments only the arguments are checked: a Body does not go on after Ready, and no
// report is written.
func TestCheckArguments(t *testing.T) {
	for _, c := range []struct {
		args   []string
		err    error
		code   int
		stderr string
	}{
		{nil, nil, ExitDone, ""},
		{nil, Usagef("no %s", "flag"), ExitUsage, "toy: no flag\ntoy -h shows the flags\n"},
		{[]string{"-rule", "x"}, nil, ExitUsage,
			"toy: flag provided but not defined: -rule; did you mean \"rules\"?\ntoy -h shows the flags\n"},
	} {
		report := filepath.Join(t.TempDir(), "report")
		body := func(_ context.Context, env *Env) error {
			if c.err != nil {
				return c.err
			}
			if err := env.Ready(); err != nil {
				return err
			}
			t.Error("the Body went on")
			return nil
		}
		code, stdout, stderr := try(t.Context(), body,
			append([]string{CheckArguments, "-report", report}, c.args...)...)
		if _, err := os.Stat(report); code != c.code || stderr != c.stderr || stdout != "" || err == nil {
			t.Errorf("%v: exit %d, stdout %q, stderr %q, report %v", c.args, code, stdout, stderr, err)
		}
	}
}

// What a Body tells of kinds of records is written where the arguments are checked, and only there.
func TestKinds(t *testing.T) {
	body := func(_ context.Context, env *Env) error {
		env.Gives(Links, "/a b/known")
		env.Needs(Ranks, `no "ranks"`)
		return env.Ready()
	}
	const want = "gives links \"/a b/known\"\nneeds ranks \"no \\\"ranks\\\"\"\n"
	if _, stdout, _ := try(t.Context(), body, CheckArguments); stdout != want {
		t.Errorf("with %s it writes %q, want %q", CheckArguments, stdout, want)
	}
	if _, stdout, _ := try(t.Context(), body); stdout != "" {
		t.Errorf("a run writes %q", stdout)
	}
}

// TestCheck holds that -verify calls the Check of the Tool with each input and does not run the
// Body, and that a stage without a Check has no such flag.
func TestCheck(t *testing.T) {
	body := func(context.Context, *Env) error { return errors.New("the body ran") }
	checked := toy
	checked.Check = Check{Of: "lines", File: func(_ context.Context, _ *Env, path string) error {
		if path == "bad" {
			return errors.New("bad: not a line")
		}
		return nil
	}}
	for _, c := range []struct {
		tool   Tool
		args   []string
		code   int
		stderr string
	}{
		{checked, []string{"-verify", "good"}, ExitDone, ""},
		{checked, []string{"-verify", "good", "bad"}, ExitFailed, "toy: 1 of 2 files are not whole\nbad: not a line\n"},
		{checked, []string{CheckArguments, "-verify", "bad"}, ExitDone, ""},
		{checked, []string{"good"}, ExitFailed, "toy: the body ran\n"},
		{toy, []string{"-verify", "good"}, ExitUsage,
			"toy: flag provided but not defined: -verify\ntoy -h shows the flags\n"},
	} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), c.tool, func(*flag.FlagSet) Body { return body }, c.args, nil, &stdout, &stderr)
		if code != c.code || stderr.String() != c.stderr || stdout.Len() > 0 {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", c.args, code, &stdout, &stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	code, stdout, stderr := try(t.Context(), fine, "-h")
	if code != ExitDone || stderr != "" {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	for _, want := range []string{"toy: copies", "Reads lines.", "-rules FILE", "-report FILE", "toy < a",
		"75 try later",
		"usage: toy [flags] [FILE ...]\n", "it reads standard input.\n"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("help lacks %q:\n%s", want, stdout)
		}
	}
}

// TestVersion holds that -version prints the source of a program, and runs nothing.
func TestVersion(t *testing.T) {
	var stdout, stderr bytes.Buffer
	body := func(context.Context, *Env) error { return errors.New("the body ran") }
	code := Run(t.Context(), Tool{Name: "toy", Formats: []string{"words 7", "lines 1"}},
		func(*flag.FlagSet) Body { return body },
		[]string{"-version"}, nil, &stdout, &stderr)
	if code != ExitDone || stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, &stderr)
	}
	for _, want := range []string{"toy of multitext\n", "\nversion  ", ", go1.", "\ncommit   ",
		"\nformats  words 7, lines 1\n"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, &stdout)
		}
	}
}

// TestHelpOfArgs holds that -h of a stage that does not read standard input does not mention it.
func TestHelpOfArgs(t *testing.T) {
	var help bytes.Buffer
	printHelp(&help, Tool{Name: "toy", Args: "URL ..."}, flag.NewFlagSet("toy", flag.ContinueOnError))
	if text := help.String(); !strings.Contains(text, "usage: toy [flags] URL ...\n") ||
		strings.Contains(text, "standard input") {
		t.Errorf("help:\n%s", text)
	}
}

func TestFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	reportPath := filepath.Join(dir, "report")
	for name, last := range map[string]func(*Env) error{
		"error":      func(*Env) error { return errors.New("boom") },
		"broken law": func(env *Env) error { env.Report.In(1); return nil },
	} {
		body := func(_ context.Context, env *Env) error {
			f, err := env.Files.Create(filepath.Join(dir, "out"))
			if err != nil {
				return err
			}
			f.Close(0, nil)
			return last(env)
		}
		if code, _, _ := try(t.Context(), body, "-report", reportPath); code != ExitFailed {
			t.Errorf("%s: exit %d", name, code)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestSignalFails(t *testing.T) {
	for range 50 { // the signal and the end of the body race
		ctx, cancel := context.WithCancel(t.Context())
		body := func(context.Context, *Env) error { cancel(); return nil }
		if code, _, stderr := try(ctx, body); code != ExitFailed || !strings.Contains(stderr, "stopped by a signal") {
			t.Fatalf("a run that was told to stop exits %d: %s", code, stderr)
		}
	}
}

// TestSignalEndsHangingBody has a Body that ignores its context, as a read from a terminal does.
func TestSignalEndsHangingBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		defer close(release)
		body := func(context.Context, *Env) error { cancel(); <-release; return nil }
		start := time.Now()
		if code, _, _ := try(ctx, body); code != ExitFailed || time.Since(start) != grace {
			t.Errorf("exit %d after %v", code, time.Since(start))
		}
	})
}

func TestReportExists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	os.WriteFile(path, []byte("old"), 0o666)
	body := func(context.Context, *Env) error { t.Error("the run began"); return nil }
	code, _, stderr := try(t.Context(), body, "-report", path)
	if text, _ := os.ReadFile(path); code != ExitFailed || string(text) != "old" ||
		!strings.Contains(stderr, "exists already") {
		t.Errorf("exit %d, stderr %q, report %q", code, stderr, text)
	}
}

func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	body := func(_ context.Context, env *Env) error {
		env.Report.In(2)
		env.Report.Reason("gone", 2)
		return nil
	}
	code, _, stderr := try(t.Context(), body, "-report", path)
	text, _ := os.ReadFile(path)
	if code != ExitDone || stderr != "" || string(text) != "in 2\nreason gone 2\n" {
		t.Errorf("exit %d, stderr %q, report %q", code, stderr, text)
	}
}

func TestNoReport(t *testing.T) {
	body := func(_ context.Context, env *Env) error {
		env.NoReport = true
		io.WriteString(env.Stdout, "explained")
		return nil
	}
	path := filepath.Join(t.TempDir(), "report")
	code, stdout, stderr := try(t.Context(), body, "-report", path)
	if _, err := os.Stat(path); err == nil || code != ExitDone || stdout != "explained" || stderr != "" {
		t.Errorf("exit %d, stdout %q, stderr %q, report %v", code, stdout, stderr, err)
	}
}

func TestInputs(t *testing.T) {
	for _, args := range [][]string{nil, {"-"}, {"a", "b"}} {
		want := args
		if args == nil {
			want = []string{"-"}
		}
		try(t.Context(), func(_ context.Context, env *Env) error {
			if strings.Join(env.Inputs, " ") != strings.Join(want, " ") {
				t.Errorf("arguments %q: inputs %q", args, env.Inputs)
			}
			return nil
		}, args...)
	}
}
