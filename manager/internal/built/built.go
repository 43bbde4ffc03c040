// Package built says from which source a program was built.
package built

import "runtime/debug"

// From returns the version of the module with that of Go, and the commit, which ends in ", with
// changes" if the source was changed after it. Each is "unknown" if the program does not say it.
func From() (version, commit string) {
	version, commit = "unknown", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, commit
	}
	version = info.Main.Version + ", " + info.GoVersion
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += ", with changes"
		}
	}
	return version, commit
}
