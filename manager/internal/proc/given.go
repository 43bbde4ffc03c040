package proc

import "os"

// Given returns the part of the manager's own environment that a program of the script gets: where
// programs and files are, and the variables that the script names.
func Given(names []string) (env []string) {
	for _, name := range append([]string{"PATH", "HOME", "TMPDIR"}, names...) {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
