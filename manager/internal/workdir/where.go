package workdir

import (
	"errors"
	"os"
	"path/filepath"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Where gives the path at which a live file lies: in its place, or still in a
// directory under work/. A manager at work may move it between two looks, so its place
// is looked at twice. A file that is nowhere would lie in its place.
func Where(root string, name txlog.Name) (string, error) {
	place := filepath.Join(root, string(name))
	if _, err := os.Lstat(place); !fault.Absent(err) {
		return place, err
	}
	d := &Dir{Root: root}
	works, err := d.works()
	tx, ok, err2 := d.unplaced(name, works)
	if _, err := os.Lstat(place); ok && fault.Absent(err) {
		return filepath.Join(root, workDir, txlog.TxDir(tx), string(name)), nil
	}
	return place, errors.Join(err, err2)
}
