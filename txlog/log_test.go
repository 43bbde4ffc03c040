package txlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// story is a small crawl's life: seeds, a run that consumes and fans out, a
// state with a merge, a failure, a request, an export.
func story() []Record {
	out := func(name string, records int64) Output {
		return Output{Name: Name(name), Size: 100 + records, Hash: "00000000deadbeef", Records: records}
	}
	run := Run{Command: []string{"filter", "-x", "a b", "{in}"}, Start: noon, End: noon.Add(time.Second),
		CPU: 1500 * time.Microsecond, Memory: 4 << 20, Exit: "0", Stderr: "two\nlines\t%"}
	exported := out("outgoing/m-000000000004-00001.zst", 3)
	exported.Export = true
	due := out("frontier/m-000000000004-00001.zst", 7)
	due.Due, due.Made = noon.Add(time.Hour), true
	return []Record{
		&Commit{Tx: 1, Read: -1, Seed: "links abc", Outputs: []Output{out("links/m-000000000001-00001.txt", -1)}},
		&Commit{Tx: 2, Stage: "filter", Run: run, Read: 10, State: "seen",
			Inputs:   []Input{{Name: "links/m-000000000001-00001.txt", Records: -1, Gone: true}},
			Outputs:  []Output{out("fresh/m-000000000002-00001.zst", 8), out("fresh/m-000000000002-00002.zst", 0)},
			Segments: []Output{out("state/seen/m-000000000002-00001.seg", 8)},
			Reasons:  []Count{{"seen", 2}}, Counts: []Count{{"merged", 1}}, Notes: []string{"first"}},
		&Abort{Tx: 3, Stage: "fetch", Run: Run{Start: noon, End: noon, Exit: "signal: killed"}, Why: "failed",
			Inputs: []Input{{Name: "fresh/m-000000000002-00001.zst", Records: 8}},
			Marks: []Mark{{Name: "fresh/m-000000000002-00001.zst", Stage: "fetch", Fails: 1,
				Until: noon.Add(time.Minute), Alone: true}},
			Row: 1, Rest: noon.Add(2 * time.Minute)},
		&Commit{Tx: 4, Stage: "fetch", Run: run, Read: 8, State: "seen",
			Inputs:   []Input{{Name: "fresh/m-000000000002-00001.zst", Records: 8}},
			Outputs:  []Output{due, exported},
			Segments: []Output{out("state/seen/m-000000000004-00001.seg", 9)},
			Replaced: []Name{"state/seen/m-000000000002-00001.seg"}},
		&Abort{Tx: 6, Stage: "fetch", Why: "set aside", Marks: []Mark{{Name: "fresh/m-000000000002-00002.zst",
			Stage: "fetch", Fails: 3, Laters: 2, Aside: true}}},
		&Commit{Tx: 7, Read: -1, Request: "abcd",
			Reset: []Mark{{Name: "fresh/m-000000000002-00002.zst", Stage: "fetch"}}},
		&Commit{Tx: 8, Read: -1, Request: "efgh", Forget: []Forgotten{{"stage", "filter"}},
			Gone: []Name{"fresh/m-000000000002-00001.zst"}},
	}
}

// resetStory is what version 1 says since stages can be reset: failures and what is
// none, and the reset of a stage that has no batches.
func resetStory() []Record {
	run := Run{Start: noon, End: noon.Add(time.Second)}
	return []Record{
		&Abort{Tx: 1, Stage: "tick", Run: run, Why: "exit 1", Row: 4, Rest: noon.Add(time.Hour)},
		&Abort{Tx: 2, Stage: "tick", Run: run, Why: WhyLater, Row: 4, Rest: noon.Add(time.Hour)},
		&Abort{Tx: 3, Stage: "tick", Run: run, Why: WhyStopped, Row: 4, Rest: noon.Add(time.Hour)},
		&Abort{Tx: 4, Stage: "other", Run: run, Why: "exit 1", Row: 1},
		&Commit{Tx: 5, Run: run, Read: -1, Request: "ab", Reset: []Mark{{Stage: "tick"}}},
	}
}

// partStory is what version 1 says since a request may come to several transactions.
func partStory() []Record {
	return []Record{
		&Commit{Tx: 1, Read: -1, Part: Count{"cd", 1000}},
		&Commit{Tx: 2, Read: -1, Part: Count{"ab", 1000}},
		&Commit{Tx: 3, Read: -1, Part: Count{"ab", 2000}},
		&Commit{Tx: 4, Read: -1, Request: "cd"},
	}
}

// exportStory is what version 1 says since a queue may be exported that holds batches.
func exportStory() []Record {
	out := func(name Name) Output { return Output{Name: name, Size: 8, Hash: "0123456789abcdef", Records: 8} }
	return []Record{
		&Commit{Tx: 1, Read: -1, Outputs: []Output{out("fresh/m-000000000001-00001.zst"),
			out("kept/m-000000000001-00001.zst")}},
		&Commit{Tx: 2, Read: -1, Export: "fresh", Notes: []string{"a note"}},
	}
}

// wasStory is what version 1 says since a stage may be renamed.
func wasStory() []Record {
	out := func(n int) Output {
		return Output{Name: Name(fmt.Sprintf("kept/m-000000000001-%05d.zst", n)), Size: 8, Hash: "0123456789abcdef",
			Records: 8}
	}
	return []Record{
		&Commit{Tx: 1, Read: -1, Outputs: []Output{out(1), out(2), out(3)}},
		&Commit{Tx: 2, Stage: "old", Read: 8, Inputs: []Input{{Name: out(1).Name, Records: 8}}},
		&Abort{Tx: 3, Stage: "old", Why: "exit 1", Row: 1, Marks: []Mark{{Name: out(2).Name, Stage: "old", Fails: 1}}},
		&Commit{Tx: 4, Read: -1, Was: Renamed{"old", "new"}, Notes: []string{"a note"}},
		&Commit{Tx: 5, Stage: "new", Read: 8, Inputs: []Input{{Name: out(2).Name, Records: 8}}},
	}
}

// toldStory is what version 1 says since runs tell what they were shown, and why records went no
// further.
func toldStory() []Record {
	run := Run{Start: noon, End: noon.Add(time.Second), Shown: []Shown{{"rules", "00000000deadbeef"}, {"nodes", ""}}}
	return []Record{
		&Commit{Tx: 1, Stage: "restrict", Run: run, Read: 7, Because: []Because{{"not-http", 1, "mini.test",
			"write http:// in front"}, {"too-long", 2, "", ""}}},
		&Abort{Tx: 2, Stage: "restrict", Run: run, Why: "exit 1", Row: 1},
		&Commit{Tx: 3, Stage: "restrict", Run: run, Read: 9,
			Because: []Because{{"not-http", 4, "", ""}, {"too-long", 3, "http://a.test/%zz\n", ""}}},
	}
}

// latestStory has a batch whose due time is the latest.
func latestStory() []Record {
	out := Output{Name: "wake/m-000000000001-00001.zst", Size: 8, Hash: "0123456789abcdef", Records: 1, Made: true,
		Due: noon.Add(time.Hour), Latest: true}
	return []Record{&Commit{Tx: 1, Stage: "frontier", Run: Run{Start: noon, End: noon}, Outputs: []Output{out}}}
}

// productStory has a batch that brings no work.
func productStory() []Record {
	out := Output{Name: "survey/m-000000000001-00001.html", Size: 8, Hash: "0123456789abcdef", Records: -1, Product: true}
	return []Record{&Commit{Tx: 1, Stage: "dial", Run: Run{Start: noon, End: noon}, Outputs: []Output{out}}}
}

// gaugeStory has a gauge that older programs told as a count.
func gaugeStory() []Record {
	run := Run{Start: noon, End: noon.Add(time.Second)}
	return []Record{
		&Commit{Tx: 1, Stage: "frontier", Run: run, Read: 0, Counts: []Count{{"waiting", 100}, {"wake", 1}}},
		&Commit{Tx: 2, Stage: "frontier", Run: run, Read: 0, Counts: []Count{{"wake", 2}},
			Gauges: []Count{{"waiting", 12}, {"waiting", 9}}},
		&Commit{Tx: 3, Stage: "frontier", Run: run, Read: 0, Gauges: []Count{{"waiting", 7}}},
		&Commit{Tx: 4, Stage: "frontier", Run: run, Read: 0},
	}
}

func begin(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := Begin(OS{}, dir, NewState("0123456789abcdef0123456789abcdef"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// load replays the log in dir.
func load(t *testing.T, dir string) *Replay {
	t.Helper()
	rp, err := Load(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	return rp
}

// beginAgain begins a log where the one in dir ends.
func beginAgain(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := Begin(OS{}, dir, load(t, dir).State, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func tell(t *testing.T, l *Log, records []Record) {
	t.Helper()
	for _, r := range records {
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

// What is replayed is what was appended: the records one by one, and the state.
func TestReplayGivesBackWhatWasAppended(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story())
	f, err := os.Open(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got []Record
	rp, err := Read(f, func(r Record) error { got = append(got, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := story()
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("record %d:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) || rp.Torn != nil {
		t.Errorf("%d records, torn %q; want %d and none", len(got), rp.Torn, len(want))
	}
	brief, err := Load(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, rp := range []*Replay{rp, brief} {
		if !reflect.DeepEqual(rp.State, l.State) {
			t.Errorf("replayed state\n%+v\nwant\n%+v", rp.State, l.State)
		}
	}
}

// A checkpoint says all that the records before it said.
func TestCheckpointHoldsTheState(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	for i, r := range story() {
		tell(t, l, []Record{r})
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		rp, err := Load(filepath.Join(dir, LogFile))
		if err != nil {
			t.Fatalf("after record %d: %v", i, err)
		}
		if !reflect.DeepEqual(rp.State, l.State) {
			t.Fatalf("after record %d: checkpoint holds\n%+v\nwant\n%+v", i, rp.State, l.State)
		}
	}
}

// A redo action is forgotten by the checkpoint after it was done, not before.
func TestCheckpointForgetsOnlyWhatIsDone(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story()[:2])
	gone := Name("links/m-000000000001-00001.txt")
	for _, done := range []bool{false, true} {
		if done {
			l.Done(gone)
		}
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		rp := load(t, dir)
		if _, pending := rp.State.toRemove[gone]; pending == done {
			t.Errorf("removal done: %v; still pending after the checkpoint: %v", done, pending)
		}
	}
}

// History hands out every record of every generation once, also when read in
// two pieces, and says which generation ended torn.
func TestHistoryCrossesGenerations(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	want := story()
	tell(t, l, want[:3])
	appendRaw(t, dir, "0123 torn")
	l2 := beginAgain(t, dir)
	tell(t, l2, want[3:5])
	var got []Record
	var torn []uint64
	each := func(r Record) error { got = append(got, r); return nil }
	pos, err := History(dir, Position{}, each, func(g uint64) { torn = append(torn, g) })
	if err != nil {
		t.Fatal(err)
	}
	tell(t, l2, want[5:6])
	if err := l2.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	tell(t, l2, want[6:])
	if _, err := History(dir, pos, each, nil); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("history has %d records, want the %d of the story in order", len(got), len(want))
	}
	if !reflect.DeepEqual(torn, []uint64{1}) {
		t.Errorf("torn generations %v, want [1]", torn)
	}
}

// A reset that names no batch is of the stage itself: it rests no more, has all its
// tries, and is taken as never started. Runs that were stopped or put off are no
// failures. All of it is read again as it was written.
func TestResetOfAStage(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, resetStory())
	rp := load(t, dir)
	for name, s := range map[string]*State{"as it was told": l.State, "read again": rp.State} {
		tick, other := s.Stage("tick"), s.Stage("other")
		if tick.Row != 0 || !tick.Rest.IsZero() || !tick.Last.IsZero() || tick.Aborts != 1 {
			t.Errorf("%s: %+v", name, tick)
		}
		if other.Row != 1 || !other.Last.Equal(noon) || other.Aborts != 1 {
			t.Errorf("%s: the other %+v", name, other)
		}
	}
}

// Where a transaction is looked for, it is: among several generations none before
// the one that holds it is read, and none behind it missed, though it ended long
// after later ones had begun.
func TestSeek(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	want := map[uint64]uint64{} // by transaction: the generation that holds its end
	end := func(tx, generation uint64) {
		t.Helper()
		tell(t, l, []Record{&Commit{Tx: tx, Read: -1}})
		want[tx] = generation
	}
	for generation := uint64(1); generation <= 5; generation++ {
		late := l.State.next
		l.State.next = late + 1 // began here, ends in the next
		end(late+1, generation)
		end(late+2, generation)
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		end(late, generation+1)
	}
	if err := os.Remove(sealed(dir, 2)); err != nil {
		t.Fatal(err)
	}
	for tx, generation := range want {
		pos, err := Seek(dir, tx)
		if err != nil {
			t.Fatal(err)
		}
		found, read := false, 0
		if _, err := History(dir, pos, func(r Record) error { found = found || r.Number() == tx; read++; return nil },
			nil); err != nil {
			t.Fatal(err)
		}
		if found != (generation != 2) {
			t.Errorf("transaction %d of generation %d: found %v, from %+v", tx, generation, found, pos)
		}
		if pos.Generation+1 < generation && generation != 3 {
			t.Errorf("transaction %d of generation %d is looked for from %d on", tx, generation, pos.Generation)
		}
	}
	if pos, err := Seek(dir, 1<<40); err != nil || pos.Generation != 6 {
		t.Errorf("one that never was: %+v, %v; want the log itself", pos, err)
	}
}

// A transaction is found also while its log is being sealed.
func TestSeekBesideCheckpoints(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	errs := make(chan error)
	for tx := range uint64(40) {
		tell(t, l, []Record{&Commit{Tx: tx + 1, Read: -1}})
		go func() {
			pos, err := Seek(dir, tx+1)
			found := false
			if err == nil {
				_, err = History(dir, pos, func(r Record) error { found = found || r.Number() == tx+1; return nil },
					nil)
			}
			if err == nil && !found {
				err = fmt.Errorf("transaction %d is not behind %+v", tx+1, pos)
			}
			errs <- err
		}()
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
}

// After one failed write the log refuses everything, whatever works again.
func TestBrokenLogStaysBroken(t *testing.T) {
	for _, fault := range []string{"write", "sync"} {
		disk := &faultyDisk{fault: fault}
		l, err := Begin(disk, t.TempDir(), NewState("e"), nil)
		if err != nil {
			t.Fatal(err)
		}
		disk.on = true
		if err := l.Append(story()[0]); !errors.Is(err, ErrBroken) || !errors.Is(err, errFault) {
			t.Fatalf("%s: append returned %v, want ErrBroken", fault, err)
		}
		disk.on = false
		if err := l.Append(story()[0]); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: the next append returned %v, want ErrBroken", fault, err)
		}
		if err := l.Checkpoint(); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: a checkpoint returned %v, want ErrBroken", fault, err)
		}
		if !disk.fired {
			t.Errorf("%s: the fault never fired", fault)
		}
	}
}

// A checkpoint for which the disk has too little room, whether in the history or in the
// place of the log, leaves the log as it was: the next start knows all that it said.
func TestCheckpointWithoutRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	for _, file := range []string{LogFile, filepath.Join(HistoryDir, "log-000001.zst")} {
		for _, room := range []int64{0, 1, 300 << 10} {
			dir := t.TempDir()
			disk := &smallDisk{room: 1 << 30}
			s, r := NewState("e"), rand.New(rand.NewPCG(1, 2))
			for range 20_000 { // more than is written at once, in the history too
				s.seeds[fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())] = true
			}
			l, err := Begin(disk, dir, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			tell(t, l, story())
			before := mustRead(t, dir)
			disk.file, disk.room = filepath.Join(dir, file), room
			if err := l.Checkpoint(); !errors.Is(err, ErrBroken) || !errors.Is(err, errFault) {
				t.Errorf("%s with room for %d bytes: %v, want what the disk said", file, room, err)
			}
			if after := mustRead(t, dir); !bytes.Equal(after, before) {
				t.Errorf("%s with room for %d bytes: the log had %d bytes and now %d", file, room, len(before),
					len(after))
			}
			rp := load(t, dir)
			l.State.generation = rp.State.generation
			if checkpointOf(rp.State) != checkpointOf(l.State) {
				t.Errorf("%s with room for %d bytes: something is lost", file, room)
			}
			next, err := Begin(OS{}, dir, rp.State, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkReplay(t, next, dir)
		}
	}
}

// smallDisk has little room where one file is replaced, and syncs nothing of the log.
type smallDisk struct {
	countingDisk
	file string
	room int64
}

func (d *smallDisk) Replace(path string, content func(io.Writer) error) error {
	return d.OS.Replace(path, func(w io.Writer) error {
		if path == d.file {
			w = &smallWriter{w, d.room}
		}
		return content(w)
	})
}

type smallWriter struct {
	w    io.Writer
	room int64
}

func (s *smallWriter) Write(p []byte) (int, error) {
	n, err := s.w.Write(p[:min(int64(len(p)), s.room)])
	if s.room -= int64(n); err == nil && n < len(p) {
		err = errFault
	}
	return n, err
}

var errFault = errors.New("no space left on device")

// faultyDisk fails writes or syncs of the log while on.
type faultyDisk struct {
	OS
	fault     string
	on, fired bool
}

type faultyFile struct {
	File
	disk *faultyDisk
}

func (d *faultyDisk) Append(path string) (File, error) {
	f, err := d.OS.Append(path)
	return faultyFile{f, d}, err
}

func (f faultyFile) Write(p []byte) (int, error) {
	if f.disk.on && f.disk.fault == "write" {
		f.disk.fired = true
		n, _ := f.File.Write(p[:len(p)/2])
		return n, errFault
	}
	return f.File.Write(p)
}

func (f faultyFile) Sync() error {
	if f.disk.on && f.disk.fault == "sync" {
		f.disk.fired = true
		return errFault
	}
	return f.File.Sync()
}

// A record that does not fit what came before is refused, not written.
func TestAppendRefusesNonsense(t *testing.T) {
	for name, r := range map[string]Record{
		"input not live":   &Commit{Tx: 9, Stage: "x", Inputs: []Input{{Name: "links/m-000000000077-00001.txt"}}},
		"read twice":       &Commit{Tx: 9, Stage: "fetch", Inputs: []Input{{Name: "fresh/m-000000000002-00001.zst"}}},
		"made twice":       &Commit{Tx: 9, Outputs: []Output{{Name: "fresh/m-000000000002-00001.zst"}}},
		"not the newest":   &Commit{Tx: 9, State: "seen", Replaced: []Name{"state/seen/m-000000000002-00001.seg"}},
		"gone but unknown": &Commit{Tx: 9, Gone: []Name{"fresh/m-000000000099-00001.zst"}},
		"marks unknown":    &Abort{Tx: 9, Marks: []Mark{{Name: "fresh/m-000000000099-00001.zst", Fails: 1}}},
	} {
		dir := t.TempDir()
		l := begin(t, dir)
		tell(t, l, story()[:4])
		before, _ := os.ReadFile(filepath.Join(dir, LogFile))
		if err := l.Append(r); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if after, _ := os.ReadFile(filepath.Join(dir, LogFile)); len(after) != len(before) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// The number after a replay is above every number ever appended, also above
// those of runs that did not commit.
func TestNumbersOnlyGrow(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	for _, r := range story() {
		tell(t, l, []Record{r})
		rp := load(t, dir)
		if rp.State.next <= r.Number() {
			t.Errorf("after transaction %d the next is %d", r.Number(), rp.State.next)
		}
	}
}

func appendRaw(t *testing.T, dir, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(f, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

// Between the sealing of a generation and the birth of the next, as after a
// crash, the history ends where the sealed one does, and goes on from there.
func TestHistoryWhileGenerationsChange(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story()[:2])
	if _, err := l.seal(); err != nil {
		t.Fatal(err)
	}
	var got []Record
	each := func(r Record) error { got = append(got, r); return nil }
	pos := Position{}
	for range 2 {
		var err error
		if pos, err = History(dir, pos, each, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || pos != (Position{Generation: 2}) {
		t.Errorf("%d records and then %+v, want the 2 of the sealed generation", len(got), pos)
	}
	if err := l.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	tell(t, l, story()[2:3])
	if _, err := History(dir, pos, each, nil); err != nil || !reflect.DeepEqual(got, story()[:3]) {
		t.Errorf("then %d records (%v), want 3", len(got), err)
	}
}

// A start that appends nothing leaves the generation and history/ as they are, and a log
// with a torn end is sealed all the same.
func TestNothingIsSealedWhereNoRecordFollowed(t *testing.T) {
	dir := t.TempDir()
	tell(t, begin(t, dir), story()[:2])
	for range 3 {
		beginAgain(t, dir)
	}
	if found, err := Sealed(dir); err != nil || len(found) != 1 {
		t.Errorf("sealed are %v (%v), want the one with records", found, err)
	}
	torn := append(mustRead(t, dir), "0123"...)
	if err := os.WriteFile(filepath.Join(dir, LogFile), torn, 0o666); err != nil {
		t.Fatal(err)
	}
	beginAgain(t, dir)
	if found, err := Sealed(dir); err != nil || len(found) != 2 {
		t.Errorf("sealed are %v (%v), want the torn one, too", found, err)
	}
}

// A last line that has the looks of the end of a checkpoint somewhere within is sealed, too.
func TestSealTakesARecordForNoEnd(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, []Record{&Commit{Tx: 1, Read: -1, Notes: []string{"legend"}, Seed: strings.Repeat("s", 37)}})
	if text := mustRead(t, dir); string(text[len(text)-64:][17:21]) != "end\t" {
		t.Fatalf("the line ends with %q", text[len(text)-64:])
	}
	if bare, err := l.seal(); bare || err != nil {
		t.Errorf("taken for a log without a record: %v, %v", bare, err)
	}
}

// history/ is kept below its bound by removing what is oldest, never the newest.
func TestHistoryHasABound(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	for i := range 5 {
		tell(t, l, []Record{&Commit{Tx: uint64(i + 1), Read: -1, Seed: fmt.Sprint(i)}})
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
	}
	var size int64
	for g := range 2 {
		info, err := os.Stat(sealed(dir, uint64(4+g)))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	for _, step := range []struct {
		keep int64
		left []uint64
	}{{1 << 30, []uint64{1, 2, 3, 4, 5}}, {size, []uint64{4, 5}}, {1, []uint64{5}}} {
		if err := l.Trim(step.keep); err != nil {
			t.Fatal(err)
		}
		if found, err := Sealed(dir); err != nil || !slices.Equal(found, step.left) {
			t.Errorf("of %d bytes %v are left (%v), want %v", step.keep, found, err, step.left)
		}
	}
	records := 0
	if _, err := History(dir, Position{}, func(Record) error { records++; return nil }, nil); err != nil ||
		records != 1 {
		t.Errorf("%d records (%v), want that of the newest", records, err)
	}
}

// A log that is older than what history/ holds is told from one that is the newest.
func TestLater(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story()[:1])
	old := mustRead(t, dir)
	tell(t, l, story()[1:2])
	newest := mustRead(t, dir)
	if _, err := l.seal(); err != nil {
		t.Fatal(err)
	}
	for i, text := range [][]byte{newest, append(newest[:len(newest):len(newest)], "torn"...), old, old} {
		if i == 3 { // and one that is no whole copy tells nothing
			if err := os.WriteFile(sealed(dir, 1), []byte("half"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		rp, err := Read(bytes.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if later, err := Later(dir, rp); err != nil || (later != "") != (i == 2) {
			t.Errorf("%d: %q, %v", i, later, err)
		}
	}
	s := NewState("e")
	s.generation = 0
	if later, err := Later(dir, &Replay{State: s}); err != nil || later == "" {
		t.Errorf("of a generation before: %q, %v", later, err)
	}
}

// What could not be read again is not written: one such line, and no start would
// ever succeed again.
func TestAppendRefusesWhatReplayWould(t *testing.T) {
	for name, r := range map[string]Record{
		"a time beyond the form": &Commit{Tx: 1, Outputs: []Output{{Name: "b/m-000000000001-00001.zst",
			Due: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}},
		"no name of a batch":    &Commit{Tx: 1, Outputs: []Output{{Name: "b/../../m-1.zst"}}},
		"a line without bounds": &Commit{Tx: 1, Notes: []string{strings.Repeat("\n", maxLine/3+1)}},
	} {
		dir := t.TempDir()
		l := begin(t, dir)
		before := mustRead(t, dir)
		if err := l.Append(r); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if after := mustRead(t, dir); len(after) != len(before) {
			t.Errorf("%s: something was written", name)
		}
	}
}
