package verify

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A world is a crawl's directory with a log, and nothing but what a test puts in.
type world struct {
	t    *testing.T
	root string
	log  *txlog.Log
	tx   uint64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir()}
	var err error
	if w.log, err = txlog.Begin(txlog.OS{}, w.root, txlog.NewState("0123456789abcdef0123456789abcdef"),
		nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.log.Close() })
	return w
}

// commit leaves a batch of queue a in its place, and reads another one up.
func (w *world) commit(consumed ...txlog.Name) txlog.Name {
	w.t.Helper()
	w.tx++
	name := txlog.Name("a/" + txlog.FileName("m", w.tx, 1, "txt"))
	path := filepath.Join(w.root, string(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		w.t.Fatal(err)
	}
	hash, err := workdir.Hash(path)
	if err != nil {
		w.t.Fatal(err)
	}
	rec := &txlog.Commit{Tx: w.tx, Stage: "s", Outputs: []txlog.Output{{Name: name, Size: 4, Hash: hash, Records: 1}}}
	for _, c := range consumed {
		rec.Inputs = append(rec.Inputs, txlog.Input{Name: c, Gone: true})
	}
	if err := w.log.Append(rec); err != nil {
		w.t.Fatal(err)
	}
	for _, c := range consumed {
		if err := os.Remove(filepath.Join(w.root, string(c))); err != nil {
			w.t.Fatal(err)
		}
	}
	return name
}

// state is what a verification that begins now goes by.
func (w *world) state() *txlog.State {
	w.t.Helper()
	rp, err := txlog.Load(filepath.Join(w.root, txlog.LogFile))
	if err != nil {
		w.t.Fatal(err)
	}
	return rp.State
}

func (w *world) files(state *txlog.State) *Verification {
	w.t.Helper()
	v := &Verification{}
	if err := v.files(w.root, state); err != nil {
		w.t.Fatal(err)
	}
	return v
}

// verify verifies the files of state by a format, too.
func (w *world) verify(state *txlog.State, f Format) []Failure {
	w.t.Helper()
	v := w.files(state)
	if err := v.formats(w.root, w.root, v.choose(state, []Format{f})); err != nil {
		w.t.Fatal(err)
	}
	return v.Failures
}

// A batch that a running manager consumes between the looks at the log and at the file is no
// damage. A live one that is gone is.
func TestConsumedMeanwhile(t *testing.T) {
	w := newWorld(t)
	first, second := w.commit(), w.commit()
	before := w.state()
	w.commit(first)
	if r := w.files(before); len(r.Faults) != 0 || r.Files != 1 {
		t.Errorf("%+v, want no fault and one file", r)
	}
	if err := os.Remove(filepath.Join(w.root, string(second))); err != nil {
		t.Fatal(err)
	}
	want := []Fault{{second, "it is gone"}}
	if r := w.files(before); !slices.Equal(r.Faults, want) {
		t.Errorf("%+v, want %+v", r.Faults, want)
	}
}

// A program that fails because a file is consumed meanwhile is started again on those that are
// left, and fails only if it fails on these, too.
func TestFormatOfConsumedFile(t *testing.T) {
	w := newWorld(t)
	first, second := w.commit(), w.commit()
	state := w.state()
	calls := [][]string{}
	format := Format{What: "queue a", Dir: "a", Limit: time.Minute, Line: func(files []string) []string {
		if calls = append(calls, files); len(calls) == 1 {
			w.commit(first)
		}
		return append([]string{"ls"}, files...)
	}}
	if failures := w.verify(state, format); failures != nil {
		t.Errorf("%+v, want no failure", failures)
	}
	rest := filepath.Join(w.root, string(second))
	if len(calls) != 2 || len(calls[0]) != 2 || !slices.Equal(calls[1], []string{rest}) {
		t.Errorf("the program was given %q, want both files, then %s", calls, rest)
	}
	format.Line = func(files []string) []string {
		return append([]string{"sh", "-c", "echo bad >&2; exit 3"}, files...)
	}
	want := Failure{"queue a", []txlog.Name{second}, "exit status 3", "bad\n"}
	if failures := w.verify(state, format); !reflect.DeepEqual(failures, []Failure{want}) {
		t.Errorf("%+v, want %+v", failures, want)
	}
}

// A program that hangs is ended when its time is over, and has failed, though what
// it started lives on and holds its stderr.
func TestFormatThatHangs(t *testing.T) {
	w := newWorld(t)
	w.commit()
	state := w.state()
	format := Format{What: "queue a", Dir: "a", Limit: 300 * time.Millisecond, Line: func(files []string) []string {
		return append([]string{"sh", "-c", "sleep 20 & exec sleep 100"}, files...)
	}}
	began := time.Now()
	failures := w.verify(state, format)
	if len(failures) != 1 || failures[0].Exit != "not done after 300ms" {
		t.Errorf("%+v, want one that was not done", failures)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
}

// However much a program writes, its end is kept and no more.
func TestTail(t *testing.T) {
	var end tail
	for range 3 {
		end.Write([]byte(strings.Repeat("a", 3000)))
	}
	end.Write([]byte("end"))
	if len(end) != stderrKept || !strings.HasSuffix(string(end), "aaaend") {
		t.Errorf("%d bytes are kept, ending in %q", len(end), end[len(end)-6:])
	}
	end.Write([]byte(strings.Repeat("b", stderrKept+1)))
	if len(end) != stderrKept || strings.Trim(string(end), "b") != "" {
		t.Errorf("%d bytes are kept, want the last %d", len(end), stderrKept)
	}
}
