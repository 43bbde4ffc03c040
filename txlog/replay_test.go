package txlog

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden log of this version anew (never for an old version)")

const goldenEpoch = "0123456789abcdef0123456789abcdef"

// textOf is the text of a log with these records behind an empty checkpoint.
func textOf(t testing.TB, records []Record) []byte {
	t.Helper()
	dir := t.TempDir()
	l, err := Begin(OS{}, dir, NewState(goldenEpoch), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, r := range records {
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	return mustRead(t, dir)
}

// storyLog is the text of a log with the whole story, and the offsets at which
// its lines end; checkpoint is how many of them the checkpoint takes.
func storyLog(t testing.TB) (text []byte, ends []int, checkpoint int) {
	t.Helper()
	text = textOf(t, story())
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return text, ends, len(ends) - len(story())
}

func mustRead(t testing.TB, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A log cut anywhere is either the legal earlier state of its whole lines, with
// the rest said to be torn, or (within the checkpoint) refused.
func TestEveryTruncation(t *testing.T) {
	text, ends, checkpoint := storyLog(t)
	for n := range len(text) {
		whole := 0
		for whole < len(ends) && ends[whole] <= n {
			whole++
		}
		rp, err := Read(bytes.NewReader(text[:n]), nil)
		var damage *Damage
		switch {
		case whole < checkpoint:
			if !errors.As(err, &damage) {
				t.Fatalf("cut at %d, within the checkpoint: %v, want damage", n, err)
			}
		case err != nil:
			t.Fatalf("cut at %d: %v", n, err)
		case rp.Lines != whole || len(rp.Torn) != n-ends[whole-1]:
			t.Fatalf("cut at %d: %d lines and %d torn bytes, want %d and %d", n, rp.Lines, len(rp.Torn), whole,
				n-ends[whole-1])
		default:
			if clean, err := Read(bytes.NewReader(text[:ends[whole-1]]), nil); err != nil ||
				!reflect.DeepEqual(rp.State, clean.State) {
				t.Fatalf("cut at %d: the state is not that of the whole lines (%v)", n, err)
			}
		}
	}
}

// No flipped bit goes unseen: it is damage, or, in the last line, a torn end
// that gives up exactly this line.
func TestEveryBitFlip(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	text, ends, _ := storyLog(t)
	last := ends[len(ends)-2]
	for i := range text {
		for bit := range 8 {
			bad := bytes.Clone(text)
			bad[i] ^= 1 << bit
			rp, err := Read(bytes.NewReader(bad), nil)
			var damage *Damage
			if i < last && !errors.As(err, &damage) {
				t.Fatalf("bit %d of byte %d flipped: %v, want damage", bit, i, err)
			}
			if i >= last && !errors.As(err, &damage) && (err != nil || rp.Lines != len(ends)-1 || rp.Torn == nil) {
				t.Fatalf("bit %d of byte %d, in the last line, flipped: %v, %+v", bit, i, err, rp)
			}
		}
	}
}

// A sector of zeros, wherever it begins, is damage, or a torn end where no line
// stands behind it: then what is read are the lines before it, and no others.
func TestEveryZeroedSector(t *testing.T) {
	const sector = 512
	text, ends, checkpoint := storyLog(t)
	torn := 0
	for from := range text {
		bad := bytes.Clone(text)
		clear(bad[from:min(from+sector, len(bad))])
		whole := sort.SearchInts(ends, from+1)
		rp, err := Read(bytes.NewReader(bad), nil)
		var damage *Damage
		if whole < checkpoint || bytes.IndexByte(bad[from:len(bad)-1], '\n') >= 0 {
			if !errors.As(err, &damage) {
				t.Fatalf("zeroed from %d: %v, want damage", from, err)
			}
			continue
		}
		torn++
		if err != nil || rp.Lines != whole || len(rp.Torn) != len(text)-ends[whole-1] {
			t.Fatalf("zeroed from %d, at the end: %v, %d lines, want %d", from, err, rp.Lines, whole)
		}
	}
	if torn < sector || torn > len(text)/2 {
		t.Errorf("%d of %d places were taken for a torn end", torn, len(text))
	}
}

// Lines in another order, twice, missing in the middle, or from another log do
// not chain.
func TestLinesDoNotMove(t *testing.T) {
	text, ends, checkpoint := storyLog(t)
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines = lines[:len(ends)]
	join := func(ls ...[]byte) []byte { return bytes.Join(ls, nil) }
	for i := checkpoint; i < len(lines)-2; i++ {
		head, rest := join(lines[:i]...), lines[i:]
		for name, bad := range map[string][]byte{
			"swapped": join(head, rest[1], rest[0], join(rest[2:]...)),
			"twice":   join(head, rest[0], rest[0], join(rest[1:]...)),
			"missing": join(head, join(rest[1:]...)),
		} {
			var damage *Damage
			if _, err := Read(bytes.NewReader(bad), nil); !errors.As(err, &damage) {
				t.Errorf("line %d %s: %v, want damage", i, name, err)
			}
		}
	}
}

// The golden logs of version 1 are read for ever, and written the same for as long
// as the version is the same. What is added to the version gets a log of its own.
func TestGoldenLogs(t *testing.T) {
	for name, records := range map[string][]Record{"log": story(), "reset": resetStory(), "part": partStory(),
		"export": exportStory(), "told": toldStory(), "was": wasStory(), "gauge": gaugeStory(),
		"latest": latestStory(), "product": productStory()} {
		t.Run(name, func(t *testing.T) { goldenLog(t, filepath.Join("testdata/v1", name), records) })
	}
}

// A count is summed over the runs. A gauge is what the last run said, also after a sum of older
// programs, and after a run that says nothing of it.
func TestGauge(t *testing.T) {
	want := map[string]int64{"waiting": 7, "wake": 3}
	if got := stateOf(t, gaugeStory()).Stage("frontier").Counts; !maps.Equal(got, want) {
		t.Errorf("the counters are %v, want %v", got, want)
	}
}

// A stage by another name has read what it had read, and has failed as often.
func TestRenamedStage(t *testing.T) {
	s := stateOf(t, wasStory()[:4])
	if st := s.stages["new"]; s.stages["old"] != nil || st == nil || st.Commits != 1 || st.Aborts != 1 || st.Row != 1 {
		t.Errorf("the stages are %v", s.stages)
	}
	read, failed := s.batches["kept/m-000000000001-00001.zst"], s.batches["kept/m-000000000001-00002.zst"]
	if !read.HasRead("new") || read.HasRead("old") || failed.Mark("new").Fails != 1 || !failed.Mark("old").Zero() {
		t.Errorf("the batches are %+v and %+v", read, failed)
	}
}

func goldenLog(t *testing.T, golden string, records []Record) {
	checkGolden(t, golden, textOf(t, records), stateOf(t, records))
}

// So is the golden checkpoint, which has lines of every kind.
func TestGoldenCheckpoint(t *testing.T) {
	s := stateOf(t, append(story()[:5], &Commit{Tx: 7, Read: -1, Request: "ab cd"}))
	s.readers = map[Reading]bool{{"fresh", "fetch"}: true, {"fresh", "a b"}: true}
	text := writtenOut(t, s)
	for _, kind := range []string{"log", "batch", "segment", "stage", "queue", "readers", "seed", "request", "remove",
		"place", "end"} {
		if !bytes.Contains(text, []byte(" "+kind+"\t")) {
			t.Errorf("there is no %s line in it", kind)
		}
	}
	checkGolden(t, "testdata/v1/brought-checkpoint", text, s)
	notBrought(s)
	checkGolden(t, "testdata/v1/checkpoint", writtenOut(t, s), s)
	s = stateOf(t, partStory())
	notBrought(s)
	checkGolden(t, "testdata/v1/part-checkpoint", writtenOut(t, s), s)
}

// notBrought makes a state what it was before it told which batches no stage made.
func notBrought(s *State) {
	for _, q := range s.queues {
		q.Brought = 0
	}
}

// writtenOut is the log that begins with a state, and has no more.
func writtenOut(t *testing.T, s *State) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := (&Log{State: s}).writeCheckpoint(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// stateOf is the state after these records.
func stateOf(t *testing.T, records []Record) *State {
	t.Helper()
	s := NewState(goldenEpoch)
	s.generation = 1
	for _, r := range records {
		if err := s.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// checkGolden holds what is written now to a golden file, and what is read of that to a state.
func checkGolden(t *testing.T, golden string, text []byte, state *State) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("the same is written otherwise than in %s:\n%s", golden, text)
	}
	rp, err := Read(bytes.NewReader(want), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(rp.State, state) {
		t.Errorf("%s replays to\n%+v\nwant\n%+v", golden, rp.State, state)
	}
}

// logOf is a log of lines with these bodies.
func logOf(bodies ...string) io.Reader {
	var text bytes.Buffer
	sum := origin
	for _, body := range bodies {
		sum = chain(sum, []byte(body))
		fmt.Fprintf(&text, "%s %s\n", sum, body)
	}
	return &text
}

func TestNewerVersionIsRefused(t *testing.T) {
	text := logOf("log\tversion=2\tepoch=e\tgeneration=1")
	if _, err := Read(text, nil); err == nil ||
		!strings.Contains(err.Error(), "format version 2, this program reads version 1") {
		t.Errorf("a log of version 2: %v", err)
	}
}

// A line of a checkpoint that is not understood is damage, by whatever chain it stands in.
func TestCheckpointLinesThatAreRefused(t *testing.T) {
	for _, body := range []string{"", "batch", "batch\tread=a", "batch\tfile=a",
		"batch\tfile=a/m-000000000001-00001 1 a", "segment\tstate=s\tfile=- 1 a 1 - -",
		"segment\tstate=s\tfile=state/t/m-000000000001-00001.seg 1 0000000000000000 1 - -",
		"queue", "queue\tname=a 1 2", "queue\tname=a 1 2 %zz", "seed\tkey=a\tmore=%z", "seed\tkey=a\tmore",
		"readers\tstage=a",
		"readers\tqueue=a\tstage=b %", "stage\tseq=5", "stage\tname=a\tseq=x", "stage\tname=a\tcount=b",
		"stage\tname=a\tnew=1",
		"remove\tfile=../a", "end\tlines=4", "commit\ttx=1"} {
		text := logOf("log\tversion=1\tepoch=e\tgeneration=1\tnext=2\tseq=0\tlastbatch=0", body,
			"end\tlines=3")
		var damage *Damage
		if _, err := Read(text, nil); !errors.As(err, &damage) || damage.Line != 2 {
			t.Errorf("%q is taken: %v", body, err)
		}
	}
}

// An empty log has no checkpoint, and what has no lines is not read to its end.
func TestNoLines(t *testing.T) {
	if _, err := Read(strings.NewReader(""), nil); err == nil ||
		!strings.Contains(err.Error(), "the checkpoint has no end") {
		t.Errorf("an empty log: %v", err)
	}
	if _, err := Read(zeros{}, nil); err == nil || !strings.Contains(err.Error(), "a line of more than") {
		t.Errorf("a line without end: %v", err)
	}
}

// zeros are zero bytes without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Whatever bytes a log holds, reading ends without a panic; and what is accepted is accepted again
// after being written as a checkpoint, and says the same. Behind the checksums, too, which no
// fuzzer would guess.
func FuzzRead(f *testing.F) {
	text, ends, _ := storyLog(f)
	f.Add(text)
	f.Add(text[:ends[2]])
	f.Add([]byte{})
	f.Add(textOf(f, resetStory()))
	for seed := range uint64(3) {
		f.Add(randomLog(f, seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkRead(t, text)
		checkRead(t, chained(text))
	})
}

func checkRead(t *testing.T, text []byte) {
	rp, err := Read(bytes.NewReader(text), nil)
	if err != nil {
		return
	}
	var out bytes.Buffer
	if err := (&Log{State: rp.State}).writeCheckpoint(&out); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&out, nil)
	if err != nil {
		t.Fatalf("accepted, but its checkpoint is not: %v", err)
	}
	if got, want := checkpointOf(again.State), checkpointOf(rp.State); got != want {
		t.Fatalf("its checkpoint is read as\n%s\nwant\n%s", got, want)
	}
}

// chained is a text with the right checksum before each line.
func chained(text []byte) []byte {
	var out bytes.Buffer
	sum := origin
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line[min(17, len(line)):], []byte("\n"))
		sum = chain(sum, body)
		fmt.Fprintf(&out, "%s %s\n", sum, body)
	}
	return out.Bytes()
}

// A field, value or word that this version does not know is refused wherever it stands:
// it may change what is live.
func TestUnknownFieldsAreRefused(t *testing.T) {
	const head = "log\tversion=1\tepoch=e\tgeneration=1\tnext=1\tseq=0\tlastbatch=0"
	for _, body := range []string{
		head + "\tx=1",
		"batch\tfile=b/m-000000000001-00001 1 aa 1 - -\tx=1",
		"batch\tfile=b/m-000000000001-00001 1 aa 1 made,x -",
		"batch\tfile=b/m-000000000001-00001 1 aa 1 - -\tmark=b/m-000000000001-00001 s 1 0 - x",
		"segment\tstate=s\tfile=state/s/m-000000000001-00001 1 aa 1 - -\tx=1",
		"stage\tname=s\tx=1",
		"readers\tqueue=b\tx=s",
		"queue\tname=b 1 2 3\tx=1",
		"queue\tx=b 1 2 3",
		"seed\tkey=a\tkey=b\tx=1",
		"request\tx=a",
		"remove\tx=b/m-000000000001-00001",
		"place\tfile=b/m-000000000001-00001\tx=1",
		"end\tlines=2\tx=1",
		"end\tlines=2 1",
		"seed\tkey=a b",
		"batch\tfile=b/m-000000000001-00001 1 aa 1 - - 1",
		"stage\tname=s s",
		"commit\ttx=1\tread=-1 1",
		"commit\ttx=1\tin=b/m-000000000001-00001 1 moved",
		"abort\ttx=1\tstderr=a b",
		"commit\ttx=1\tread=-1\tx=1",
		"abort\ttx=1\tx=1",
	} {
		lines := []string{head, body, "end\tlines=3"}
		if strings.HasPrefix(body, "log") {
			lines = []string{body, "end\tlines=2"}
		}
		if strings.HasPrefix(body, "commit") || strings.HasPrefix(body, "abort") {
			lines = []string{head, "end\tlines=2", body, body}
		}
		if _, err := Read(logOf(lines...), nil); err == nil ||
			!strings.Contains(err.Error(), "unknown to this version") {
			t.Errorf("%q: %v", body, err)
		}
	}
}
