package workdir

import (
	"os"
	"path/filepath"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Where returns the path of a live file: its place in a queue or state, or its path under work/
// before it is moved there. A running manager may move the file during the search, so Where checks
// its place twice. If the file does not exist, Where returns its place.
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
