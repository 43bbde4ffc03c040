package crawl

import (
	"os"
	"slices"
	"testing"

	"multitext/manager/internal/testkit"
	"multitext/txlog"
)

const oneStage, copyStage = testkit.OneStage, testkit.CopyStage

// A world is a script in a folder of its own.
type world struct{ *testkit.World }

func newWorld(t testing.TB, flow string) *world {
	t.Helper()
	return &world{testkit.New(t, flow)}
}

// open opens the crawl until the test ends.
func (w *world) open() *Store {
	w.T.Helper()
	return w.openOn(txlog.OS{})
}

func (w *world) openOn(disk txlog.Disk) *Store {
	w.T.Helper()
	store := w.store(disk)
	w.T.Cleanup(func() { store.Close() })
	return store
}

func (w *world) store(disk txlog.Disk) *Store {
	w.T.Helper()
	store, err := Open(w.Script, disk, Opening{Say: func(string) {}})
	w.Must(err)
	return store
}

// take takes what is in the inbox, and returns what is left.
func (w *world) take(st *Store) map[string]error {
	w.T.Helper()
	_, left, err := st.TakeInbox(func(text string) { w.Said.WriteString(text + "\n") }, nil)
	w.Must(err)
	return left
}

// leaveAdd leaves a request to add the seed.
func leaveAdd(w *world, st *Store) {
	w.T.Helper()
	_, err := Leave(st.Dir, addSeed(w))
	w.Must(err)
}

func addSeed(w *world) Request {
	return Request{Verb: "add", Name: "a", Files: []string{w.Script.Seeds[0].File}}
}

// The epoch is a crawl's own, drawn when it is born.
func TestEpochStays(t *testing.T) {
	w := newWorld(t, copyStage)
	var epochs []string
	for range 2 {
		store := w.store(txlog.OS{})
		epochs = append(epochs, store.Log.State.Epoch())
		w.Must(store.Close())
	}
	if epochs[0] != epochs[1] || len(epochs[0]) != 32 {
		t.Errorf("epochs %q", epochs)
	}
}

// A file of seeds that changes while it comes in comes in as it was read, and its change with the
// next start: the log remembers the hash of what was brought in.
func TestSeedsChangeMeanwhile(t *testing.T) {
	w := newWorld(t, copyStage)
	var texts []string
	for _, text := range []string{"2\n", "3\n"} {
		store := w.store(&interrupted{at: "-00001", by: func() {
			w.Must(os.WriteFile(w.Script.Seeds[0].File, []byte(text), 0o666))
		}})
		w.Must(store.Begin(func(string) {}))
		w.Must(store.Close())
	}
	for _, c := range w.History() {
		for _, o := range c.Outputs {
			raw, err := os.ReadFile(w.Path(string(o.Name)))
			w.Must(err)
			texts = append(texts, string(raw))
		}
	}
	if !slices.Equal(texts, []string{"1\n", "2\n"}) {
		t.Errorf("brought in were %q", texts)
	}
}
