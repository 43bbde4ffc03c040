package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// findLive looks for every live file in its place, then in its transaction's directory
// under work/.
func (rec *Recovery) findLive(d *Dir) error {
	for _, o := range rec.State.Files() {
		if err := rec.find(d, o); err != nil {
			return err
		}
	}
	for name := range rec.State.ToPlace() {
		if _, err := os.Lstat(d.unplaced(name)); err == nil {
			rec.Place = append(rec.Place, name)
		} else if !fault.Absent(err) {
			return err
		}
	}
	return nil
}

func (rec *Recovery) find(d *Dir, o txlog.Output) error {
	path, err := Where(d.Root, o.Name)
	if err != nil {
		return err
	}
	if path != d.Path(string(o.Name)) {
		rec.Place = append(rec.Place, o.Name)
	}
	what, err := Amiss(path, o)
	if what != "" {
		rec.Missing = append(rec.Missing, what)
		rec.Lost = append(rec.Lost, o.Name)
	}
	return err
}

// Amiss says how a live file differs from what the log says of it, as far as can be seen
// without reading it; "" if it does not.
func Amiss(path string, o txlog.Output) (string, error) {
	size, err := fileSize(path)
	switch {
	case fault.Absent(err):
		return fmt.Sprintf("%s is gone", o.Name), nil
	case errors.Is(err, errNoFile):
		return fmt.Sprintf("%s: %v", o.Name, err), nil
	case err != nil:
		return "", err
	case size != o.Size:
		return fmt.Sprintf("%s has %d bytes, the log says %d", o.Name, size, o.Size), nil
	}
	return "", nil
}

var errNoFile = errors.New("no regular file")

func fileSize(path string) (int64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errNoFile
	}
	return info.Size(), nil
}

// findGone collects what is still there of what has left. Directories are listed, each
// once: of a log that no checkpoint has shortened far more has left than is there.
func (rec *Recovery) findGone(d *Dir) {
	listed := map[string]map[string]bool{}
	for name := range rec.State.ToRemove() {
		dir := name.Dir()
		if listed[dir] == nil {
			listed[dir] = d.list(dir)
		}
		if listed[dir][name.File()] || listed[dir][unlisted] {
			rec.Remove = append(rec.Remove, name)
		}
	}
	slices.Sort(rec.Remove)
	for id := range rec.State.ToClear() {
		if _, err := os.Lstat(filepath.Join(d.InboxPath(), id)); err == nil {
			rec.Requests = append(rec.Requests, id)
		}
	}
	slices.Sort(rec.Requests)
}

// unlisted stands in a list for all that may be there and is not told.
const unlisted = "/"

// list is the set of names in a directory.
func (d *Dir) list(dir string) map[string]bool {
	entries, err := os.ReadDir(d.Path(dir))
	names := make(map[string]bool, len(entries)+1)
	for _, e := range entries {
		names[e.Name()] = true
	}
	names[unlisted] = err != nil && !errors.Is(err, fs.ErrNotExist)
	return names
}

// temporary is the form of the names under which Replace writes. It is compiled where a start needs
// it, as a reading verb does not.
var temporary = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(secret|log|log-[0-9]{6}\.zst|script\.toml)[0-9]+$`)
})

func (rec *Recovery) findTemps(d *Dir) {
	for _, dir := range []string{"", txlog.HistoryDir} {
		entries, _ := os.ReadDir(d.Path(dir))
		for _, e := range entries {
			if temporary().MatchString(e.Name()) {
				rec.Temps = append(rec.Temps, filepath.Join(dir, e.Name()))
			}
		}
	}
}
