package workdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/txlog"
)

// A directory is made for its owner alone. One of another user, or that others may write,
// is refused before anything in it is touched, and one that others may open is warned of.
func TestOwner(t *testing.T) {
	for _, c := range []struct {
		name         string
		prepare      func(root string) error
		err, warning string
	}{
		{name: "made", prepare: func(string) error { return nil }},
		{name: "own", prepare: func(root string) error { return os.Mkdir(root, 0o711) }},
		{name: "open", prepare: func(root string) error { return os.Mkdir(root, 0o755) },
			warning: "other users may open"},
		{name: "another's", prepare: func(root string) error {
			os.Mkdir(root, 0o700)
			return os.Chown(root, 12345, -1)
		}, err: "belongs to user 12345"},
		{name: "writable", prepare: func(root string) error {
			os.Mkdir(root, 0o700)
			return os.Chmod(root, 0o720)
		}, err: "chmod go-w"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "crawl")
			if err := c.prepare(root); err != nil {
				t.Skipf("only root gives a directory away: %v", err)
			}
			said := ""
			_, err := Open(root, txlog.OS{}, func(text string) { said += text })
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %q", err, c.err)
			}
			if strings.Contains(said, "other users") != (c.warning != "") || !strings.Contains(said, c.warning) {
				t.Errorf("said %q, want %q", said, c.warning)
			}
			if info, err := os.Stat(root); c.name == "made" && (err != nil || info.Mode().Perm() != 0o700) {
				t.Errorf("made %v, %v", info, err)
			}
		})
	}
}
