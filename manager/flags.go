package main

import (
	"flag"
	"fmt"
	"strings"

	"multitext/script"
)

// parseAnywhere parses flags before, between and after the arguments.
func parseAnywhere(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// suggestFlag adds a similar known flag to an error about an unknown flag.
func suggestFlag(fs *flag.FlagSet, err error) error {
	_, name, unknown := strings.Cut(err.Error(), "not defined: -")
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if hint := script.DidYouMean(name, names); unknown && hint != "" {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}
