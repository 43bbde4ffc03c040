package workdir

import (
	"os"
	"path/filepath"

	"multitext/txlog"
)

// Where gives the path at which a live file lies: in its place, or still in the
// work directory of the transaction that left it. A manager at work may move it
// between two looks, so its place is looked at twice. A file that is nowhere
// would lie in its place.
func Where(root string, name txlog.Name) string {
	place := filepath.Join(root, string(name))
	work := filepath.Join(root, workDir, txlog.TxDir(name.Tx()), string(name))
	for _, path := range []string{place, work, place} {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return place
}
