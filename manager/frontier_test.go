package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// frontier is the story of numbers that wait in a state that each run writes anew, and of a batch by
// which a stage starts itself again.
func frontier() story { return story{name: "frontier", script: "frontier"} }

// The oracle of the stories detects each defect of a frontier, without any fault: what waits is lost,
// or handed out twice. So it would detect what a fault does to the state or to the batch wake.
func TestFrontierSeesDefects(t *testing.T) {
	long(t)
	for _, defect := range []string{"head-without-url", "last-url-dropped", "rows-forgotten", "wake-forgotten",
		"wake-unseen"} {
		t.Run(defect, func(t *testing.T) {
			r := newStoryRig(t, frontier(), defect, "short-rests")
			folder := r.folder(t)
			noRetries(t, filepath.Join(folder, "crawl.toml"))
			o, err := r.start(folder)
			if err == nil {
				err = r.inspect(folder)
			}
			if err == nil {
				t.Fatalf("not seen; it ended with %d and said\n%s", o.code, o.said)
			}
			t.Log(err)
		})
	}
}

// noRetries has a batch on which the frontier fails set aside at once.
func noRetries(t *testing.T, script string) {
	t.Helper()
	text, err := os.ReadFile(script)
	if err == nil {
		const stage = "[stage.frontier]\n"
		err = os.WriteFile(script, []byte(strings.Replace(string(text), stage, stage+"retry = 0\n", 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
