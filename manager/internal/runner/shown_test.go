package runner

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/txlog"
)

// Each transaction says what was in the files of read when it ran, so that it is known by which
// rules a record was judged. It says nothing of a file that changed meanwhile.
func TestShownFilesAreInTheLog(t *testing.T) {
	const stages = `
seeds = { a = "seed" }
[stage.one]
in    = "a"
out   = "b"
read  = { rules = "./seed" }
shell = "cat {in} {rules} > {b}"
[stage.two]
in    = "b"
out   = "c"
read  = { rules = "./seed", folder = "." }
shell = "cp {in} {c}; ls {folder} >> {rules}; echo {rules}"
`
	w := newWorld(t, stages)
	w.done()
	got := map[string][]txlog.Shown{}
	for _, c := range w.History() {
		if c.Stage != "" {
			got[c.Stage] = c.Run.Shown
		}
	}
	want := map[string][]txlog.Shown{
		"one": {{Name: "rules", Hash: sum("1\n")}}, "two": {{Name: "rules"}, {Name: "folder"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the log says %v, want %v", got, want)
	}
}

func sum(text string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(text)) }
