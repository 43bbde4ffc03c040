package crawl

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"multitext/manager/internal/testkit"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A request whose files cannot be brought in is refused by a note, leaves nothing,
// and the crawl goes on.
func TestRequestThatCannotBeCarriedOut(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	id, err := Leave(c.Dir, addSeed(w))
	w.Must(err)
	w.Must(os.Remove(w.Path("inbox/" + id + "/00001")))
	broken := "0123"
	w.Must(os.Mkdir(w.Path("inbox/"+broken), 0o777))
	_, left, err := c.TakeInbox(func(string) {}, nil)
	w.Must(err)
	if len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	notes := w.Notes()
	if len(notes) != 2 || !strings.HasPrefix(notes[0], refusedNote) ||
		!strings.Contains(notes[0]+notes[1], "add 00001 to a: open") {
		t.Errorf("notes %q", notes)
	}
	for _, dir := range []string{"work", "inbox", "a"} {
		if entries, err := os.ReadDir(w.Path(dir)); err != nil || len(entries) > 0 {
			t.Errorf("%s holds %v (%v)", dir, entries, err)
		}
	}
}

// Who may write in inbox/ cannot have as a batch what only the manager may read: a
// request or a file of it that is a link, a pipe or another user's is refused by a note.
func TestRequestOfLinks(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	secret := w.Path("secret")
	real := `{"verb":"add","name":"a","files":["00001"],"hashes":["0123456789abcdef"]}`
	plant := map[string]func(dir, file string) error{
		"a symbolic link": func(_, file string) error { return os.Symlink(secret, file) },
		"a hard link":     func(_, file string) error { return os.Link(secret, file) },
		"a pipe":          func(_, file string) error { return syscall.Mkfifo(file, 0o666) },
		"another's": func(_, file string) error {
			return errors.Join(os.WriteFile(file, []byte("x\n"), 0o666), os.Chown(file, 12345, -1))
		},
		"a linked request": func(dir, file string) error {
			w.Must(os.WriteFile(w.Script.Folder+"/request", []byte(real), 0o666))
			w.Must(os.WriteFile(file, []byte("x\n"), 0o666))
			w.Must(os.Remove(filepath.Join(dir, requestFile)))
			return os.Symlink(w.Script.Folder+"/request", filepath.Join(dir, requestFile))
		},
	}
	if os.Getuid() != 0 {
		delete(plant, "another's") // only root makes such
	}
	for name, plant := range plant {
		dir := w.Path("inbox/" + strings.ReplaceAll(name, " ", ""))
		w.Must(os.Mkdir(dir, 0o777))
		w.Must(os.WriteFile(filepath.Join(dir, requestFile), []byte(real), 0o666))
		w.Must(plant(dir, filepath.Join(dir, "00001")))
		var said []string
		_, left, err := c.TakeInbox(func(text string) { said = append(said, text) }, nil)
		w.Must(err)
		if len(left) > 0 || len(said) != 1 || !strings.Contains(said[0], refusedNote) {
			t.Errorf("%s: said %q, left %v", name, said, left)
		}
		if entries, err := os.ReadDir(w.Path("a")); err != nil || len(entries) > 0 {
			t.Errorf("%s: became %v (%v)", name, entries, err)
		}
	}
}

// A request is whole or not there: one that cannot be written leaves nothing.
func TestLeaveLeavesNothingBehind(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	disk := &testkit.BadDisk{Part: "inbox/.", Times: 1, Err: syscall.ENOSPC}
	dir := &workdir.Dir{Root: c.Dir.Root, Disk: disk}
	if _, err := Leave(dir, addSeed(w)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, want no space", err)
	}
	if entries, err := os.ReadDir(w.Path("inbox")); err != nil || len(entries) > 0 {
		t.Errorf("inbox holds %v (%v)", entries, err)
	}
}

// What is forgotten goes at once: a state with its segments.
func TestForgottenStateGoes(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	seg := txlog.Output{Name: "state/old/m-000000000001-00001.seg", Size: 1}
	w.Must(c.Log.Append(&txlog.Commit{Tx: 1, Read: -1, State: "old", Segments: []txlog.Output{seg}}))
	w.Must(os.MkdirAll(w.Path("state/old"), 0o777))
	w.Must(os.WriteFile(w.Path(string(seg.Name)), []byte("x"), 0o666))
	_, err := Leave(c.Dir, Request{Verb: "forget", Name: "old"})
	w.Must(err)
	_, _, err = c.TakeInbox(func(string) {}, nil)
	w.Must(err)
	if _, err := os.Stat(w.Path(string(seg.Name))); err == nil {
		t.Error("its segment is still there")
	}
	if len(c.Log.State.Segments("old")) != 0 || slices.Contains(slices.Collect(c.Log.State.ToRemove()), seg.Name) {
		t.Errorf("segments %v, to remove %v", c.Log.State.Segments("old"), slices.Collect(c.Log.State.ToRemove()))
	}
}

// A batch that was brought in keeps what its name says of its content.
func TestExtension(t *testing.T) {
	for file, want := range map[string]string{
		"seeds": "", "a/seeds.txt": "txt", "x.warc.gz": "warc.gz", "x.": "", ".hidden": "hidden", "x.t-x_t": "txt",
		"x.a/../..": "", "v1.2.3.a-long-name.warc.gz": "longname.warc.gz", "x.\x1b[2J": "2J",
	} {
		got := extension(file)
		if got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
		if _, _, ext, ok := txlog.ParseFileName(txlog.FileName("m", 1, 1, got)); !ok || ext != got {
			t.Errorf("%q: the log would not give the name with %q", file, got)
		}
	}
}

// What looks like a batch of another kind, or is compressed otherwise than its
// name says, is told; plain text passes for what goes by the first bytes.
func TestLooksLike(t *testing.T) {
	w := newWorld(t, `
seeds = { links = "seed", lines = "seed" }
[queue.lines]
ext = "txt"
[queue.pages]
ext = "warc.gz"
[stage.one]
in  = ["links", "lines"]
out = "pages"
run = "cp {in} {pages}"
`)
	for _, c := range []struct{ queue, file, compression, want string }{
		{"links", "a.zst", "zst", ""},
		{"links", "a.gz", "gz", ""},
		{"links", "seeds", "", ""},
		{"links", "seeds.2026.txt", "", ""},
		{"links", "seeds.list", "", ""},
		{"links", "a.warc.gz", "gz", "the batches of links are .zst files, .warc.gz is what pages holds"},
		{"links", "example.com.warc", "", ".warc.gz is what pages holds"},
		{"links", "a.zst", "", "its first bytes are of no compression, its name says those of zstd"},
		{"links", "a", "gz", "its first bytes are those of gzip, its name says of no compression"},
		{"lines", "a.txt", "", ""},
		{"lines", "a.txt.zst", "zst", "the batches of lines are not compressed"},
		{"pages", "example.com.warc.gz", "gz", ""},
		{"pages", "a.warc", "", ""},
		{"pages", "a.txt", "", "the batches of pages are .warc.gz files"},
		{"pages", "a.zst", "zst", "the batches of pages are .warc.gz files"},
		{"none", "a.zst", "zst", ""},
	} {
		err := LooksLike(w.Script, c.queue, c.file, c.compression)
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s into %s: %v, want %q", c.file, c.queue, err, c.want)
		}
	}
}

// An add of the same files to the same queue as one that waits is a repeat of it, unless
// it has an id of its own.
func TestRepeated(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	seed, other := filepath.Join(w.Script.Folder, "seed"), filepath.Join(w.Script.Folder, "other")
	w.Must(os.WriteFile(other, []byte("2\n"), 0o666))
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{seed, other}})
	w.Must(err)
	w.Must(os.Remove(w.Path("inbox/" + id + "/00001"))) // as when it was answered, and its removal was cut off
	for i, tc := range []struct {
		q    Request
		want string
	}{
		{Request{Verb: "add", Name: "a", Files: []string{seed, other}}, id},
		{Request{Verb: "add", Name: "a", ID: id, Files: []string{seed, other}}, id},
		{Request{Verb: "add", Name: "a", ID: "mine", Files: []string{seed, other}}, ""},
		{Request{Verb: "add", Name: "b", Files: []string{seed, other}}, ""},
		{Request{Verb: "add", Name: "a", Files: []string{other, seed}}, ""},
		{Request{Verb: "add", Name: "a", Files: []string{seed}}, ""},
	} {
		if got, err := Repeated(c.Dir, tc.q); err != nil || got != tc.want {
			t.Errorf("%d: %q, %v; want %q", i, got, err, tc.want)
		}
	}
	_, err = Repeated(c.Dir, Request{Verb: "add", Name: "a", ID: id, Files: []string{seed}})
	if ExitCode(err) != ExitBad {
		t.Errorf("another request of the same id: %v", err)
	}
	// However many requests wait, the files are read once.
	q := Request{Files: []string{seed}}
	_, err = q.brings([]string{"another"})
	w.Must(errors.Join(err, os.Remove(seed)))
	if _, err := q.brings([]string{"yet another"}); err != nil {
		t.Errorf("read once more: %v", err)
	}
}
