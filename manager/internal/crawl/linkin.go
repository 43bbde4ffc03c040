package crawl

import (
	"errors"
	"io/fs"
	"os"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// linkIn links each file of a request to add into the work directory of its transaction. This takes
// neither time nor room, so the loop need not wait for it. The name in the inbox is removed once
// the commit is durable, so a roll-back loses nothing. The hash was computed when the file was
// copied into the inbox.
func (q *Request) linkIn(dir *workdir.Dir) func(i int, to string) (txlog.Output, error) {
	return func(i int, to string) (o txlog.Output, err error) {
		if i >= len(q.Hashes) {
			return o, &fs.PathError{Op: "add", Path: q.Files[i], Err: errors.New("the request does not say its hash")}
		}
		f, err := dir.OpenRequest(q.Files[i])
		if err != nil {
			return o, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || info.Size() == 0 {
			return o, err
		}
		if err := dir.Disk.Link(q.Files[i], to); err != nil {
			return o, err
		}
		if linked, err := os.Lstat(to); err != nil || !os.SameFile(info, linked) {
			return o, &fs.PathError{Op: "add", Path: q.Files[i], Err: errors.New("it was replaced by another file")}
		}
		return txlog.Output{Size: info.Size(), Records: -1, Hash: q.Hashes[i]}, nil
	}
}
