package txlog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whichever bit of a log has changed, the log is rebuilt as it was; a mender that tries
// nothing, or takes what does not fit, would be seen.
func TestEveryBitIsMended(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	text, _, _ := storyLog(t)
	rp, err := Read(bytes.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := checkpointOf(rp.State)
	dir := t.TempDir()
	for bit := 0; bit < 8*len(text); bit += 5 {
		bad := bytes.Clone(text)
		bad[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(filepath.Join(dir, LogFile), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Rebuild(dir)
		if err != nil {
			t.Fatalf("byte %d bit %d: %v", bit/8, bit%8, err)
		}
		if checkpointOf(s.State) != want || len(s.Found) != 1 || !strings.Contains(s.Found[0], "one bit had changed") {
			t.Fatalf("byte %d bit %d: %q, rebuilt to\n%s", bit/8, bit%8, s.Found, checkpointOf(s.State))
		}
	}
}

// A bit that makes a newline of a byte cuts its line in two.
func TestLineCutInTwoIsMended(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story()[:3])
	tell(t, l, []Record{&Commit{Tx: l.Number(), Stage: "a", Notes: []string{"J" + strings.Repeat("x", 300)}}})
	tell(t, l, story()[3:])
	want := checkpointOf(l.State)
	bad := mustRead(t, dir)
	bad[bytes.IndexByte(bad, 'J')] ^= 'J' ^ '\n'
	if err := os.WriteFile(filepath.Join(dir, LogFile), bad, 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Rebuild(dir)
	if err != nil {
		t.Fatal(err)
	}
	if checkpointOf(s.State) != want || len(s.Found) != 1 || !strings.Contains(s.Found[0], "one bit had changed") {
		t.Errorf("%q, rebuilt to\n%s\nwant\n%s", s.Found, checkpointOf(s.State), want)
	}
}

// Of a log with a line that is lost all before it is taken; of one without a whole
// checkpoint, or that is older, the latest sealed one. The new log is of a later
// generation than all, gives no number again, and the old one is kept.
func TestRebuild(t *testing.T) {
	dir := t.TempDir()
	l := begin(t, dir)
	tell(t, l, story()[:3])
	old := mustRead(t, dir)
	if err := l.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	sealedState := checkpointOf(l.State)
	tell(t, l, story()[3:5])
	whole := mustRead(t, dir)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	lost := bytes.Clone(whole)
	copy(lost[len(whole)-len(lines[len(lines)-2])+30:], "####")
	for name, tc := range map[string]struct {
		log  []byte
		seq  uint64
		same bool // as what was sealed
	}{
		"the last line":  {lost, 4, false},
		"the checkpoint": {append([]byte("####"), whole[4:]...), 3, true},
		"older":          {old[:len(old)-len(old)/4], 3, true},
		"gone":           {nil, 3, true},
	} {
		path := filepath.Join(dir, LogFile)
		os.Remove(path)
		if tc.log != nil {
			if err := os.WriteFile(path, tc.log, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Rebuild(dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s.State.seq != tc.seq || len(s.Found) == 0 {
			t.Errorf("%s: %d records, want %d; found %q", name, s.State.seq, tc.seq, s.Found)
		}
		if got := strings.Replace(checkpointOf(s.State), "generation=1", "generation=2", 1); tc.same &&
			lineOf(got, "batch") != lineOf(sealedState, "batch") {
			t.Errorf("%s: rebuilt to\n%s\nwant\n%s", name, got, sealedState)
		}
		next := s.State.next
		l, err := s.Begin(OS{}, dir)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		rp, err := Load(path)
		if err != nil || rp.State.generation < 3 || rp.State.next <= next {
			t.Errorf("%s: %+v, %v", name, rp, err)
		}
		if later, err := Later(dir, rp); err != nil || later != "" {
			t.Errorf("%s: %q, %v", name, later, err)
		}
		if kept, _ := filepath.Glob(filepath.Join(dir, HistoryDir, "damaged-*")); tc.log != nil && len(kept) == 0 {
			t.Errorf("%s: the old log is not kept", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, LogFile), []byte("nothing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(filepath.Join(dir, HistoryDir))
	if s, err := Rebuild(dir); err == nil {
		t.Errorf("of nothing %+v was rebuilt", s)
	}
}

// A sealed log that cannot be decompressed, from the first byte or from a later one, is passed
// over.
func TestRebuildPassesOverDamagedHistory(t *testing.T) {
	for name, spoil := range map[string]func(sealed []byte){
		"first byte":  func(sealed []byte) { copy(sealed, "GARBAGE") },
		"second half": func(sealed []byte) { clear(sealed[len(sealed)/2:]) },
	} {
		dir := t.TempDir()
		l := begin(t, dir)
		tell(t, l, story()[:3])
		for range 2 {
			if err := l.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
		want := l.State.seq
		path := sealed(dir, 1)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		spoil(text)
		os.Chmod(path, 0o600)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		log := filepath.Join(dir, LogFile)
		if err := os.WriteFile(log, []byte("nothing\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := Rebuild(dir); err == nil && s.State.seq > want {
			t.Errorf("%s: %d records were rebuilt of %d", name, s.State.seq, want)
		}
	}
}

// lineOf are the lines of a kind.
func lineOf(checkpoint, kind string) (out string) {
	for l := range strings.Lines(checkpoint) {
		if strings.Contains(l, kind+"\t") {
			out += l
		}
	}
	return out
}
