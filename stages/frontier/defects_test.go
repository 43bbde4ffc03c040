package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

// A hand runs the program by hand, with its state in a folder.
type hand struct {
	t       testing.TB
	program string
	env     string // defects
	list    string
	runs    int
}

// run gives a run of the stage a batch, commits it, and returns what it hands out.
func (h *hand) run(lines []string, flags ...string) string {
	h.t.Helper()
	h.runs++
	segment := fmt.Sprint(h.list, "-", h.runs)
	report := segment + "-report"
	out := h.output(append(flags, "-waiting", h.list, "-new", segment, "-out", "-", "-wake", segment+"-wake", "-report",
		report, stagetest.Write(h.t, "batch", lines...))...)
	text, err := os.ReadFile(report)
	if err != nil {
		h.t.Fatal(err)
	}
	list, err := os.ReadFile(h.list)
	if err != nil && h.runs > 1 {
		h.t.Fatal(err)
	}
	kept := ""
	for line := range strings.Lines(string(list)) {
		if !strings.Contains("\n"+string(text), "\nreplaces "+line) {
			kept += line
		}
	}
	if err := os.WriteFile(h.list, []byte(kept+segment+"\n"), 0o666); err != nil {
		h.t.Fatal(err)
	}
	return out
}

func (h *hand) output(args ...string) string {
	h.t.Helper()
	cmd := exec.Command(h.program, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), h.env), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("%v: %v", cmd, err)
	}
	return string(out)
}

// times are so many of a record.
func times(n int, line string) (lines []string) {
	for range n {
		lines = append(lines, line)
	}
	return lines
}

// TestSeesDefects: a yield that changes nothing, a share that does not go by turns, and a run that
// forgets what was learned are seen from outside.
func TestSeesDefects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	programs := t.TempDir()
	crash.BuildFaulty(t, programs, "./stages/frontier")
	for defect, seen := range map[string]func(h *hand) (string, bool){
		"yield-unheeded": func(h *hand) (string, bool) {
			h.run(append(append(times(500, "http://b.test/\tworth=1"), times(50, "http://a.test/\tworth=0")...),
				"http://a.test/1", "http://a.test/2"), "-urls", "1")
			said := h.output("-waiting", h.list, "-explain", "http://a.test/2")
			return said, strings.Contains(said, "1/4 of its turn")
		},
		"nothing-explored": func(h *hand) (string, bool) {
			visit := "http://a.test/\tasked=1\tanswered=1\tpause=1"
			h.run(append(times(20, "http://a.test/"), "http://a.test/deep\tdepth=50", visit),
				"-urls", "2", "-explore", "1")
			said := h.run([]string{visit}, "-urls", "2", "-explore", "1")
			return said, strings.Contains(said, "/deep")
		},
		"nothing-remembered": func(h *hand) (string, bool) {
			h.run(append(times(50, "http://a.test/law\tworth=1"), "http://a.test/1", "http://a.test/2"), "-urls", "1",
				"-order", "learned")
			said := h.output("-waiting", h.list, "-order", "learned", "-explain", "http://a.test/2")
			return said, strings.Contains(said, "learned:") && !strings.Contains(said, "worth 0.50")
		},
	} {
		for _, env := range []string{"NONE=", crash.Failpoints(t, defect)} {
			h := &hand{t: t, program: filepath.Join(programs, "frontier"), env: env,
				list: filepath.Join(t.TempDir(), "list")}
			if err := os.WriteFile(h.list, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if said, sound := seen(h); sound != (env == "NONE=") {
				t.Errorf("%s, %s: %s", defect, env, said)
			}
		}
	}
}
