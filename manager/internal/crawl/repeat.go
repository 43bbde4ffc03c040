package crawl

import (
	"os"
	"slices"
	"strings"

	"multitext/manager/internal/fault"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// Repeated returns the id of the waiting request that a request to add repeats, or "" if there is
// none. It is the request with the same id. If the caller gave no id, it is a request to add the
// same files to the same queue: its sender was told that it failed, or was not told anything.
// Repeated must be called before the lock is taken, because a start removes answered requests. If a
// request with the same id has another content, Repeated returns an error.
func Repeated(dir *workdir.Dir, q Request) (id string, err error) {
	if q.Verb != "add" {
		return "", nil
	}
	entries, err := os.ReadDir(dir.InboxPath())
	if err != nil && !fault.Absent(err) {
		return "", err
	}
	for _, e := range entries {
		if id = e.Name(); strings.HasPrefix(id, ".") || q.ID != "" && q.ID != id {
			continue
		}
		was, err := readRequest(dir, id)
		if fault.Machine(err) {
			return "", err
		}
		same := was.Verb == q.Verb && was.Name == q.Name
		if same {
			same, err = q.brings(was.Hashes)
		}
		if same || err != nil {
			return id, err
		}
		if q.ID != "" && was.Verb != "" {
			return "", anotherRequest(id)
		}
	}
	return "", nil
}

// Answers returns nil if an answer in the log is an answer to this request. outputs are those of
// all transactions that the request with that id needed. If they answer another request, Answers
// returns an error.
func (q *Request) Answers(outputs []txlog.Output) error {
	var hashes []string
	for _, o := range outputs {
		if o.Name.Queue() != q.Name {
			return anotherRequest(q.ID)
		}
		hashes = append(hashes, o.Hash)
	}
	same, err := q.brings(hashes)
	if err == nil && !same {
		err = anotherRequest(q.ID)
	}
	return err
}

// brings reports whether the files to be added have these hashes. It reads the files once.
func (q *Request) brings(hashes []string) (bool, error) {
	if len(hashes) != len(q.Files) {
		return false, nil
	}
	for _, file := range q.Files[len(q.Hashes):] {
		hash, err := workdir.Hash(file)
		if err != nil {
			return false, err
		}
		q.Hashes = append(q.Hashes, hash)
	}
	return slices.Equal(q.Hashes, hashes), nil
}

func anotherRequest(id string) error {
	return badUsage("request %s was for other files or another queue; give this one an id of its own", id)
}
