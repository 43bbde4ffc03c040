package stage

import (
	"context"
	"fmt"
	"io"
	"os"

	"multitext/stages/internal/run/suggest"
)

// A Verb is one function of a program, selected by its first argument, as in "classify train". The
// name of its Tool is the name of the program, a space and the verb.
type Verb struct {
	Name  string
	Tool  Tool
	Setup Setup
}

// MainVerbs is Main for a program with several verbs. short describes the program in a line. Each
// verb is a separate stage with its own flags and -h.
func MainVerbs(program, short string, verbs ...Verb) {
	exit(func(ctx context.Context) int {
		return runVerbs(ctx, program, short, verbs, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// runVerbs is like MainVerbs, but returns the exit code instead of exiting.
func runVerbs(ctx context.Context, program, short string, verbs []Verb, args []string,
	stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		printVerbs(stderr, program, short, verbs)
		return ExitUsage
	}
	if args[0] == CheckArguments && len(args) > 1 {
		args[0], args[1] = args[1], args[0]
	}
	for _, v := range verbs {
		if args[0] == v.Name {
			return Run(ctx, v.Tool, v.Setup, args[1:], stdin, stdout, stderr)
		}
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		printVerbs(stdout, program, short, verbs)
		return ExitDone
	case "-version", "--version":
		var formats []string
		for _, v := range verbs {
			formats = append(formats, v.Tool.Formats...)
		}
		printVersion(stdout, program, formats)
		return ExitDone
	}
	return fail(stderr, Tool{Name: program},
		Usagef("unknown verb %.80q%s", args[0], suggest.Hint(args[0], names(verbs))))
}

func names(verbs []Verb) (all []string) {
	for _, v := range verbs {
		all = append(all, v.Name)
	}
	return all
}

// printVerbs writes the output of -h without a verb.
func printVerbs(w io.Writer, program, short string, verbs []Verb) {
	fmt.Fprintf(w, "%s: %s\n\nusage: %s VERB [flags] [FILE ...]\n\n", program, short, program)
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-10s %s\n", v.Name, v.Tool.Short)
	}
	fmt.Fprintf(w, "\n%s VERB -h explains a verb\n", program)
}
