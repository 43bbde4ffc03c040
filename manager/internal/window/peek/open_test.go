package peek

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"multitext/txlog"
)

const good = "m-000000000001-00001.txt"

// newCrawl makes a crawl's directory with the batch q/good, and a file outside of it.
func newCrawl(t *testing.T) (root string) {
	t.Helper()
	outside := t.TempDir()
	root = filepath.Join(outside, "crawl")
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(outside, "folder", good), "secret")
	write(t, filepath.Join(root, "log"), "log")
	write(t, filepath.Join(root, "q", good), "content")
	write(t, filepath.Join(root, "q", "folder", good), "content")
	write(t, filepath.Join(root, "q", "x", "y", good), "no batch")
	write(t, filepath.Join(root, good), "no batch")
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestOpenReadsBatches(t *testing.T) {
	root := newCrawl(t)
	write(t, filepath.Join(root, "work", txlog.TxDir(2), "q", "m-000000000002-00001.txt"), "content")
	for _, name := range []txlog.Name{"q/" + good, "q/folder/" + good, "q/m-000000000002-00001.txt"} {
		f, err := Open(root, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if text, err := io.ReadAll(f); string(text) != "content" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		f.Close()
	}
}

// TestOpenRefusesOtherFiles: nothing that is not a regular file with the name of a batch in a
// queue, and nothing outside of the crawl's directory.
func TestOpenRefusesOtherFiles(t *testing.T) {
	root := newCrawl(t)
	outside := filepath.Dir(root)
	for name, target := range map[string]string{"q/m-000000000003-00001.txt": filepath.Join(outside, "secret"),
		"q/m-000000000004-00001.txt": good, "linked": filepath.Join(outside, "folder"), "inside": "q"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "q/m-000000000005-00001.txt"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "q/m-000000000006-00001.txt"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []txlog.Name{"", "/", "log", "q", "q/", "q/../log", "../secret", "../folder/" + good, "q/../../folder/" + good,
		txlog.Name(filepath.Join(outside, "folder", good)), "/q/" + good, "q//" + good, "./q/" + good, "q/./" + good, "q/x/y/" + good, good,
		"q/" + good + "/", "q/" + good + "\x00", "q\\" + good, "q/%2e%2e/" + good, "../crawl/q/" + good,
		"q/m-000000000003-00001.txt", "q/m-000000000004-00001.txt", "linked/" + good, "inside/" + good,
		"q/m-000000000005-00001.txt", "q/m-000000000006-00001.txt", "q/m-000000000009-00001.txt"} {
		if f, err := Open(root, name); err == nil {
			text, _ := io.ReadAll(f)
			t.Errorf("%q was opened: %q", name, text)
		}
	}
	if _, err := Open(root, "q/m-000000000009-00001.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a batch that is gone: %v", err)
	}
}

// Links and directories are refused within the crawl's directory too, whatever their name.
func TestOpenRegularRefusesSpecialFiles(t *testing.T) {
	dir, err := os.OpenRoot(newCrawl(t))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := dir.Symlink("q", "other"); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{"q": "no regular file", "other/" + good: "no directory"} {
		if _, err := openRegular(dir, path); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
