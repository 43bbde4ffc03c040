package workdir

import (
	"os"
	"path/filepath"

	"multitext/txlog"
)

// Where gives the path at which a live file lies: in its place, or still in a
// directory under work/. A manager at work may move it between two looks, so its place
// is looked at twice. A file that is nowhere would lie in its place.
func Where(root string, name txlog.Name) string {
	place := filepath.Join(root, string(name))
	if _, err := os.Lstat(place); err == nil {
		return place
	}
	d := &Dir{Root: root}
	works, _ := d.works()
	if tx, ok := d.unplaced(name, works); ok {
		if _, err := os.Lstat(place); err != nil {
			return filepath.Join(root, workDir, txlog.TxDir(tx), string(name))
		}
	}
	return place
}
