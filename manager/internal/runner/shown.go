package runner

import (
	"os"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// shown are the files that a stage is shown, which change when their owner likes, with what
// they hold now. A file is read for each run, before and after it: the stage reads it, too,
// and that takes longer.
func shown(st *script.Stage) (files []txlog.Shown) {
	for _, read := range st.Read {
		if read.File != "" {
			files = append(files, txlog.Shown{Name: read.Name, Hash: digest(read.File)})
		}
	}
	return files
}

// shownAlike takes back what is said of files that changed while the run went on: nobody
// knows which of the two it has read.
func (r *run) shownAlike() {
	for i, now := range shown(r.take.Stage) {
		if before := &r.record.Shown[i]; before.Hash != now.Hash {
			before.Hash = ""
		}
	}
}

// digest is the XXH64 of a file, "" where it cannot be told: the stage will say what is
// wrong with it.
func digest(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	hash, err := workdir.Hash(path)
	if err != nil {
		return ""
	}
	return hash
}
