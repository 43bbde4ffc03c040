package txlog_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// Nothing is renamed onto what is there, nor, where nobody can look, onto what may be; and no
// generation of the history passes for removed.
func TestCannotLook(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for _, path := range []string{from, to} {
		if err := os.WriteFile(path, []byte(path), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := (txlog.OS{}).Rename(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("rename onto a file: %v", err)
	}
	state := txlog.NewState(strings.Repeat("0", 32))
	for range 3 {
		log, err := txlog.Begin(txlog.OS{}, dir, state, nil)
		if err == nil {
			err = log.Append(&txlog.Abort{Tx: state.Next(), Stage: "filter",
				Why: txlog.WhyStopped}) // else there is nothing to seal
		}
		if err != nil {
			t.Fatal(err)
		}
		log.Close()
	}
	if err := os.Remove(filepath.Join(dir, txlog.HistoryDir, "log-000001.zst")); err != nil {
		t.Fatal(err)
	}
	crash.Refusing(t, unix.SYS_NEWFSTATAT, syscall.EIO, func() {
		if err := (txlog.OS{}).Rename(from, to); !errors.Is(err, syscall.EIO) {
			t.Errorf("rename: %v", err)
		}
		pos, err := txlog.History(dir, txlog.Position{Generation: 1, Records: 1},
			func(txlog.Record) error { return nil }, nil)
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("history goes on to %+v, %v", pos, err)
		}
	})
	if text, err := os.ReadFile(to); err != nil || string(text) != to {
		t.Errorf("%s holds %q (%v)", to, text, err)
	}
}
