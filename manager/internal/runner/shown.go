package runner

import (
	"os"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// shown returns the files that a stage reads by name, with the hashes of their present content.
// Their owner may change them at any time, so they are hashed before and after each run. This takes
// less time than the stage needs to read them.
func shown(st *script.Stage) (files []txlog.Shown) {
	for _, read := range st.Read {
		if read.File != "" {
			files = append(files, txlog.Shown{Name: read.Name, Hash: digest(read.File)})
		}
	}
	return files
}

// shownAlike removes the hash of each file that changed during the run, because it is unknown which
// of the two contents the stage has read.
func (r *run) shownAlike() {
	for i, now := range shown(r.take.Stage) {
		if before := &r.record.Shown[i]; before.Hash != now.Hash {
			before.Hash = ""
		}
	}
}

// digest returns the XXH64 of a file, or "" if it cannot be read. The stage will report the error.
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
