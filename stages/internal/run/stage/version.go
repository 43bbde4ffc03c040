package stage

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// printVersion writes the output of -version: the source from which the program was built, and the
// formats with a version.
func printVersion(w io.Writer, program string, formats []string) {
	version, commit := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version + ", " + info.GoVersion
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += ", with changes"
			}
		}
	}
	fmt.Fprintf(w, "%s of multitext\nversion  %s\ncommit   %s\n", program, version, commit)
	if formats != nil {
		fmt.Fprintf(w, "formats  %s\n", strings.Join(formats, ", "))
	}
}
