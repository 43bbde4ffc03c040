package stage

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// printHelp writes the output of -h.
func printHelp(w io.Writer, tool Tool, fs *flag.FlagSet) {
	args, stdin := tool.Args, ""
	if args == "" {
		args, stdin = "[FILE ...]", "\nWithout FILE, or with -, it reads standard input.\n"
	}
	fmt.Fprintf(w, "%s: %s\n\nusage: %s [flags] %s\n", tool.Name, tool.Short, tool.Name, args)
	fmt.Fprintf(w, "\n%s\n%s", strings.TrimSpace(tool.Long), stdin)
	fmt.Fprint(w, "\nflags:\n")
	fs.SetOutput(w)
	fs.PrintDefaults()
	fs.SetOutput(io.Discard)
	fmt.Fprintf(w, "\nexample:\n")
	for line := range strings.Lines(strings.TrimSpace(tool.Example)) {
		fmt.Fprintf(w, "  %s", line)
	}
	fmt.Fprint(w, "\n\nexit codes: 0 done, 1 failed, 2 wrong flags, 75 try later\n")
}
