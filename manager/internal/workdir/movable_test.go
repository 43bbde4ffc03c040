package workdir

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"multitext/txlog"
)

// An output on a mount of its own is found before it is committed, though its device and type are
// those of any other.
func TestOutputOnAMount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount")
	}
	for name, at := range map[string]string{"its folder": "a", "the file": "a/m-000000000007-00001.txt"} {
		t.Run(name, func(t *testing.T) {
			d, _ := born(t, t.TempDir())
			tx, err := d.Begin(7, []string{"a"}, "")
			must(t, err)
			output := txlog.Name("a/m-000000000007-00001.txt")
			write(t, tx.File(string(output)), "x")
			must(t, tx.Seal([]txlog.Name{output}))
			if err := syscall.Mount(tx.File(at), tx.File(at), "", syscall.MS_BIND, ""); err != nil {
				t.Skipf("nothing can be mounted here: %v", err)
			}
			defer syscall.Unmount(tx.File(at), syscall.MNT_DETACH)
			err = tx.Seal([]txlog.Name{output})
			if unmovable := new(Unmovable); !errors.As(err, &unmovable) ||
				!strings.Contains(err.Error(), at+" is on another file system or mount") {
				t.Errorf("%v", err)
			}
		})
	}
}

// A start warns of a file system on which power cuts were not tried.
func TestOtherFileSystems(t *testing.T) {
	for root, want := range map[string]string{"/proc": "on which power cuts were not tried",
		"/dev/shm": "lies in memory"} {
		var said string
		if err := checkFileSystem(root, func(text string) { said += text }); err != nil ||
			!strings.Contains(said, want) {
			t.Errorf("%s: %q, %v", root, said, err)
		}
	}
}
