package crawl

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const requestFile = "request"

// Leave writes a request durably into the inbox of a crawl and returns its id. It writes under a
// hidden name and renames the request when it is complete. If Leave returns an error and an id, the
// request exists, but a power failure may lose it. If the id is "", the request does not exist.
func Leave(dir *workdir.Dir, q Request) (id string, err error) {
	release, err := dir.Writing()
	if err != nil {
		return "", err
	}
	defer release()
	hidden := "." + newID()
	id = cmp.Or(q.ID, hidden[1:])
	if err := writeRequest(dir, filepath.Join(dir.InboxPath(), hidden), q); err != nil {
		return "", errors.Join(err, dir.RemoveRequest(hidden))
	}
	if err := dir.Disk.Rename(filepath.Join(dir.InboxPath(), hidden), filepath.Join(dir.InboxPath(), id)); err != nil {
		return "", err
	}
	return id, dir.Disk.Sync(dir.InboxPath())
}

func writeRequest(dir *workdir.Dir, path string, q Request) error {
	if err := dir.Disk.Mkdir(path); err != nil {
		return err
	}
	files := q.Files
	q.Files, q.Hashes, q.Why = nil, nil, strings.Join(strings.Fields(q.Why), " ")
	for i, file := range files {
		base := fmt.Sprintf("%05d", i+1)
		if ext := extension(file); ext != "" {
			base += "." + ext
		}
		in, err := os.Open(file)
		if err != nil {
			return err
		}
		o, err := copyIn(dir.Disk, in, filepath.Join(path, base))
		in.Close()
		if err != nil {
			return err
		}
		if err := dir.Disk.Sync(filepath.Join(path, base)); err != nil {
			return err
		}
		q.Files, q.Hashes = append(q.Files, base), append(q.Hashes, o.Hash)
	}
	f, err := dir.Disk.Create(filepath.Join(path, requestFile))
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(q), f.Sync(), f.Close(), dir.Disk.Sync(path))
}

// TakeInbox answers the waiting requests and returns their number. Each is answered in transactions
// of its own that contain its id. left maps the requests that could not be carried out to the
// reasons. These requests stay in the inbox, and so do those that were put off.
func (st *Store) TakeInbox(say func(string), putOff map[string]error) (answered int, left map[string]error, err error) {
	ids, err := st.Waiting()
	left = map[string]error{}
	for _, id := range ids {
		if why := putOff[id]; why != nil {
			left[id] = why
			continue
		}
		for more := true; more && err == nil; {
			a := st.consider(id)
			st.number(a.rec)
			if st.carryOut(a); a.machine != nil {
				left[id] = a.machine
				err = st.Dir.Clear(a.rec.Tx)
			} else {
				answered++
				err = st.conclude(a, say)
			}
			more = a.more && a.machine == nil
		}
	}
	return answered, left, err
}

// Requests lists the requests in an inbox: those that no line of the log answers, and those that a
// line answers.
func Requests(dir *workdir.Dir, state *txlog.State) (waiting, answered []string, err error) {
	entries, err := os.ReadDir(dir.InboxPath())
	for _, e := range entries {
		switch id := e.Name(); {
		case strings.HasPrefix(id, ".") || !e.IsDir():
		case state.Answered(id):
			answered = append(answered, id)
		default:
			waiting = append(waiting, id)
		}
	}
	return waiting, answered, err
}

// Waiting lists the requests that no line of the log answers, and removes the others.
func (st *Store) Waiting() ([]string, error) {
	waiting, answered, err := Requests(st.Dir, st.Log.State)
	for _, id := range answered {
		err = errors.Join(err, st.removeRequest(id))
	}
	return waiting, err
}

func (st *Store) removeRequest(id string) error {
	if err := st.Dir.RemoveRequest(id); err != nil {
		return st.Dir.Leave(err)
	}
	st.Log.DoneRequest(id)
	return nil
}

func readRequest(dir *workdir.Dir, id string) (q Request, err error) {
	folder := filepath.Join(dir.InboxPath(), id)
	f, err := dir.OpenRequest(filepath.Join(folder, requestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return q, nil
	}
	if err != nil {
		return q, err
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&q); err != nil {
		return q, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	for i, file := range q.Files {
		q.Files[i] = filepath.Join(folder, filepath.Base(file))
	}
	return q, nil
}
