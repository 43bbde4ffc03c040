package workdir

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// findLive looks for every live file in its place, then in its transaction's work/T.
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
		rec.Lost = append(rec.Lost, Lost{o.Name, what})
	}
	return err
}

// findGone collects the files and requests that are still to be removed.
func (rec *Recovery) findGone(d *Dir) {
	for name := range rec.State.ToRemove() {
		if _, err := os.Lstat(d.Path(string(name))); !fault.Absent(err) {
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

// temporary matches the temporary names that Replace uses.
var temporary = regexp.MustCompile(`^\.(secret|log|log-[0-9]{6}\.zst|script\.toml)[0-9]+$`)

func (rec *Recovery) findTemps(d *Dir) {
	for _, dir := range []string{"", txlog.HistoryDir} {
		entries, _ := os.ReadDir(d.Path(dir))
		for _, e := range entries {
			if temporary.MatchString(e.Name()) {
				rec.Temps = append(rec.Temps, filepath.Join(dir, e.Name()))
			}
		}
	}
}
