package runner

import (
	"os"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// shown are the files that a stage reads by name, with the hashes of what they hold now: their
// owner may change them at any time. A file is hashed before and after each run. The stage reads
// it as well, which takes longer.
func shown(st *script.Stage) (files []txlog.Shown) {
	for _, read := range st.Read {
		if read.File != "" {
			files = append(files, txlog.Shown{Name: read.Name, Hash: digest(read.File)})
		}
	}
	return files
}

// shownAlike removes the hash of each file that changed during the run: which of the two contents
// the stage has read is not known.
func (r *run) shownAlike() {
	for i, now := range shown(r.take.Stage) {
		if before := &r.record.Shown[i]; before.Hash != now.Hash {
			before.Hash = ""
		}
	}
}

// digest is the XXH64 of a file, "" where it cannot be read: the stage will report what is wrong.
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
