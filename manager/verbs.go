package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"multitext/manager/internal/complete"
	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/programs"
	"multitext/manager/internal/terminal"
	"multitext/script"
	"multitext/txlog"
)

// An invocation is one call of the manager.
type invocation struct {
	out, err io.Writer
	disk     txlog.Disk // the disk of the crawl
	vars     vars       // the vars of the command line
	notice   string     // the notice that was printed last
}

// A verb is one of the manager's commands.
type verb struct {
	name  string
	args  string // as the usage line shows them: [X] is optional, X... may be repeated
	short string
	long  string // for -h
	setup setup
}

// A setup declares a verb's flags. It returns the function that carries out the verb; its arguments
// are those that are not flags, as many as the usage line shows.
type setup = func(*invocation, *flag.FlagSet) func(args []string) error

// errUsage is wrapped by errors about the command line.
var errUsage = errors.New("usage")

func verbs() []verb {
	return []verb{
		{"run", "SCRIPT", "run the crawl, or continue it", runHelp, runVerb},
		{"check", "SCRIPT", "print the errors of a script and the programs that it would start", checkHelp, checkVerb},
		{"graph", "SCRIPT", "draw the graph of stages and queues", graphHelp, graphVerb},
		{"status", "SCRIPT", "print the state of stages and queues, and what was set aside", statusHelp, statusVerb},
		{"why", "SCRIPT STAGE", "print why a stage is or is not started", whyHelp, looks(why)},
		{"log", "SCRIPT", "list the transactions", logHelp, logVerb},
		{"show", "SCRIPT TX", "print everything about one transaction", showHelp, looks(transaction)},
		{"ls", "SCRIPT [QUEUE]", "list the batches of a queue", lsHelp, looks(batches)},
		{"cat", "[SCRIPT] BATCH...", "print batches, decompressed", catHelp, catVerb},
		{"recover", "-n SCRIPT", "print what the next start would roll back and complete", recoverHelp, recoverVerb},
		{"repair", "[-n] SCRIPT", "rebuild a log that no start accepts", repairHelp, repairVerb},
		{"verify", "SCRIPT", "compare every live file with the log", verifyHelp, verifyVerb},
		{"add", "SCRIPT QUEUE FILE...", "add batches to a queue", addHelp, addVerb},
		{"retry", "SCRIPT [STAGE]", "put back the batches that were set aside", retryHelp, asks("retry")},
		{"drop", "SCRIPT BATCH...", "remove batches", dropHelp, dropVerb},
		{"forget", "SCRIPT NAME", "delete what the script no longer names", forgetHelp, asks("forget")},
		{"completion", "SHELL", "print what bash, zsh or fish needs to complete command lines", completionHelp, completionVerb},
		{"version", "", "print version, commit and formats", versionHelp, versionVerb},
	}
}

const exitCodes = `
Exit codes:
  0  done: nothing is left to do          4  stopped with work waiting
  1  ended with failed work               5  log or live files damaged
  2  bad script or usage                  6  log or directory cannot be written
  3  another manager holds the crawl      7  a limit of [stop] was reached
`

// run carries out one command line and returns the exit code.
func (m *invocation) run(args []string) int {
	if len(args) > 0 && args[0] == complete.Hidden {
		completed().Print(m.out, args[1:])
		return crawl.ExitDone
	}
	if len(args) == 2 && args[0] == "help" && args[1] == "json" {
		fmt.Fprint(m.out, jsonHelp)
		return crawl.ExitDone
	}
	if len(args) > 1 && args[0] == "help" {
		args = []string{args[1], "-h"}
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		m.help()
		if len(args) == 0 {
			return crawl.ExitBad
		}
		return crawl.ExitDone
	}
	var names []string
	for _, v := range verbs() {
		if v.name == args[0] {
			return m.do(v, args[1:])
		}
		names = append(names, v.name)
	}
	hint := script.DidYouMean(args[0], names)
	text := strings.TrimSpace(fmt.Sprintf("manager: there is no verb %q; %s", args[0], hint))
	m.complain(text + "\nmanager help lists the verbs")
	return crawl.ExitBad
}

func (m *invocation) do(v verb, args []string) int {
	fs := flag.NewFlagSet("manager "+v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // its errors may hold control characters
	fs.Usage = func() {}
	usage := func() {
		fmt.Fprintf(m.err, "manager %s [flags] %s\n\n%s\n\n", v.name, v.args, v.long)
		fs.SetOutput(m.err)
		fs.PrintDefaults()
	}
	body := v.declare(m, fs)
	rest, err := parseAnywhere(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		usage()
		return crawl.ExitDone
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errUsage, suggestFlag(fs, err))
	} else if err = v.takes(len(rest)); err == nil {
		err = body(rest)
	}
	code := exitCode(err)
	if errors.Is(err, errUsage) {
		m.complain(fmt.Sprintf("manager %s: %v\nusage: manager %[1]s [flags] %[3]s\n"+
			"manager %[1]s -h prints more help", v.name, err, v.args))
		return code
	}
	var bad script.Errors
	if errors.As(err, &bad) {
		fmt.Fprintf(m.err, "%v\n", bad)
		return code
	}
	if own := (*crawl.Exit)(nil); err != nil && !(errors.As(err, &own) && own.Err == nil) {
		m.complain("manager: " + err.Error())
	}
	return code
}

// declare declares all flags of a verb. It returns the function that carries out the verb.
func (v verb) declare(m *invocation, fs *flag.FlagSet) func(args []string) error {
	body := v.setup(m, fs)
	if strings.Contains(v.args, "SCRIPT") {
		fs.Func("var", varUsage, m.vars.add)
	}
	return body
}

// takes returns an error if a verb does not accept n arguments.
func (v verb) takes(n int) error {
	least, most := 0, 0
	for word := range strings.FieldsSeq(v.args) {
		if strings.HasPrefix(strings.Trim(word, "["), "-") {
			continue // a flag
		}
		most++
		if !strings.HasPrefix(word, "[") {
			least++
		}
		if strings.HasSuffix(word, "...") {
			most = math.MaxInt
		}
	}
	if n < least || n > most {
		return fmt.Errorf("%w: want %s, got %s", errUsage, cmp.Or(v.args, "none"), figure.Count(n, "argument"))
	}
	return nil
}

// exit returns an error with an exit code; err is nil if nothing is left to be printed.
func exit(code int, err error) error {
	if code == crawl.ExitDone && err == nil {
		return nil
	}
	return &crawl.Exit{Code: code, Err: err}
}

// exitCode returns the exit code of a verb that returned err. An error without a code of its own
// counts as bad usage, for instance a script that does not exist.
func exitCode(err error) int {
	var own *crawl.Exit
	if code := crawl.ExitCode(err); code != crawl.ExitBroken || errors.As(err, &own) {
		return code
	}
	return crawl.ExitBad
}

// say prints a line to stderr. The result of a verb goes to stdout.
func (m *invocation) say(text string) { terminal.Line(m.err, "manager: %s", text) }

// complain prints an error, which may have several lines and hold control characters.
func (m *invocation) complain(text string) {
	for l := range strings.SplitSeq(text, "\n") {
		terminal.Line(m.err, "%s", l)
	}
}

func (m *invocation) help() {
	fmt.Fprint(m.out, "manager runs crawl scripts: stages pass batches; each run is a transaction.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(m.out, "  %-36s %s\n", strings.TrimSpace("manager "+v.name+" "+v.args), v.short)
	}
	fmt.Fprint(m.out, "\nmanager VERB -h, or manager help VERB, prints the help of one verb.\n"+
		"manager help json describes the fields that verbs print with -json.\n"+exitCodes)
}

// read reads a script. The programs and files that it names need not exist.
func (m *invocation) read(path string) (*script.Script, error) {
	return script.Load(path, nil, m.vars.list...)
}

// load reads a script and looks up its programs.
func (m *invocation) load(path string) (*script.Script, error) {
	find, err := programs.Finder(path)
	if err != nil {
		return nil, err
	}
	return script.Load(path, find, m.vars.list...)
}
