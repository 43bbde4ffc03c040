package workdir

import (
	"os"
	"path/filepath"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Where gives the path at which a live file lies: in its place, or still under work/.
// A manager at work may move it between two looks, so its place is looked at twice.
// For a file that is nowhere, it gives its place.
func Where(root string, name txlog.Name) (string, error) {
	place := filepath.Join(root, string(name))
	if _, err := os.Lstat(place); !fault.Absent(err) {
		return place, err
	}
	work := (&Dir{Root: root}).unplaced(name)
	_, err := os.Lstat(work)
	if _, again := os.Lstat(place); err == nil && fault.Absent(again) {
		return work, nil
	}
	if fault.Absent(err) {
		err = nil
	}
	return place, err
}
