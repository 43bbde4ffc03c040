package crawl

import (
	"os"
	"syscall"
	"time"

	"multitext/manager/internal/judge"
	"multitext/script"
	"multitext/txlog"
)

// A digest is what a file held when it looked like this. It is good for as long as the file looks the same,
// and so a large one is read once and not by each run.
type digest struct {
	seen os.FileInfo
	hash string
}

// settled is how old a file's last change must be for its looks to tell: the clock of a file system has a
// grain, within which it may change twice.
const settled = time.Second

// shown are the files that a stage is shown, which change when their owner likes, with what they hold now.
func (c *Crawl) shown(st *script.Stage) (files []txlog.Shown) {
	for _, read := range st.Read {
		if read.File != "" {
			files = append(files, txlog.Shown{Name: read.Name, Hash: c.digest(read.File)})
		}
	}
	return files
}

// shownAlike takes back what is said of files that changed while the run went on: nobody knows which of the
// two it has read.
func (c *Crawl) shownAlike(r *run) {
	for i, now := range c.shown(r.take.Stage) {
		if before := &r.record.Shown[i]; before.Hash != now.Hash {
			before.Hash = ""
		}
	}
}

// digest is the XXH64 of a file, "" where it cannot be told: the stage will say what is wrong with it.
func (c *Crawl) digest(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if known, ok := c.digests[path]; ok && looksTheSame(known.seen, info) {
		return known.hash
	}
	hash, err := judge.Hash(path)
	if err != nil {
		return ""
	}
	if time.Since(changed(info)) > settled {
		c.digests[path] = digest{info, hash}
	}
	return hash
}

func looksTheSame(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && changed(a).Equal(changed(b))
}

// changed is when a file was last changed, by the clock that nobody can set back with touch.
func changed(info os.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Now()
}
