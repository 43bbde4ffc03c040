package stage

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestBlame holds that a record on which a stage panics or does not end leaves alone.
func TestBlame(t *testing.T) {
	const records = 5
	var over atomic.Bool // the attempts that are left behind may end
	defer over.Store(true)
	for reason, breaks := range map[string]func(){
		"panicked": func() { panic("of a \x1b stranger") },
		"out-of-time": func() {
			for !over.Load() {
			}
		},
	} {
		t.Run(reason, func(t *testing.T) {
			attempts := 0
			setup := func(fs *flag.FlagSet) Body {
				out := fs.String("out", "", "")
				return func(ctx context.Context, env *Env) error {
					attempts++
					f, err := env.Files.Create(*out)
					if err != nil {
						return err
					}
					for n := range records {
						if !env.Report.Begin() {
							continue
						}
						if n == 1 || n == 3 {
							breaks()
						}
						io.WriteString(f, "x")
						env.Report.End()
					}
					return f.Close(records-2, env.Report.Out)
				}
			}
			dir := t.TempDir()
			out, rep := filepath.Join(dir, "out"), filepath.Join(dir, "report")
			var stderr strings.Builder
			args := []string{"-out", out, "-report", rep, "input"}
			code := Run(t.Context(), Tool{Name: "test", longest: 50 * time.Millisecond}, setup, args, nil, io.Discard,
				&stderr)
			text, _ := os.ReadFile(rep)
			written, _ := os.ReadFile(out)
			if want := "\nreason " + reason + " 2\n"; code != ExitDone || !strings.Contains(string(text), want) ||
				string(written) != "xxx" {
				t.Errorf("exit %d, wrote %q, report %q\n%s", code, written, text, stderr.String())
			}
			if attempts != 3 || strings.Contains(stderr.String(), "\x1b") {
				t.Errorf("%d attempts, want 3: %s", attempts, stderr.String())
			}
		})
	}
}

// TestBlameEnds holds that a run fails when every record breaks it, and that a run that cannot be
// repeated is not.
func TestBlameEnds(t *testing.T) {
	attempts := 0
	setup := func(fs *flag.FlagSet) Body {
		out := fs.String("out", "", "")
		return func(_ context.Context, env *Env) error {
			attempts++
			if *out != "" {
				if _, err := env.Files.Create(*out); err != nil {
					return err
				}
			}
			for env.Report.Begin() || env.Report.UnderWay() == 0 {
				if env.Report.UnderWay() > 0 {
					panic("always")
				}
			}
			return nil
		}
	}
	for args, want := range map[string]int{"input": maxBlamed + 1, "-": 1, "-out - input": 1} {
		attempts = 0
		rep := filepath.Join(t.TempDir(), "report")
		all := append([]string{"-report", rep}, strings.Fields(args)...)
		code := Run(t.Context(), Tool{Name: "test"}, setup, all, strings.NewReader(""), io.Discard, io.Discard)
		if code != ExitFailed || attempts != want {
			t.Errorf("%s: exit %d after %d attempts, want %d after %d", args, code, attempts, ExitFailed, want)
		}
	}
}
