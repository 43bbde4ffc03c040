// Package stage is the skeleton of every stage's main function: flags, help, report, signals and
// exit codes. A stage is an ordinary program; its main function adds a Tool and a Body:
//
//	func main() {
//		stage.Main(stage.Tool{
//			Name:    "upper",
//			Short:   "writes every URL in upper case",
//			Long:    "Reads URL batches; writes one to -out.",
//			Example: "upper -out - seeds.txt",
//		}, func(fs *flag.FlagSet) stage.Body {
//			out := fs.String("out", "-", "batch `FILE` to write")
//			return func(ctx context.Context, env *stage.Env) error { … }
//		})
//	}
//
// The skeleton adds the flags -h, -v, -version, -report and, with a Check, -verify. Arguments are
// input files; "-", or no argument, is standard input. Without -report a one-line summary goes to
// standard error.
//
// If -check-arguments is its first argument, a stage only checks the other arguments and exits. The
// exit code is the one of a run with invalid or valid arguments. In this way the manager checks the
// arguments of these programs in a script before anything runs. A Body supports this by calling
// Env.Ready, and may first tell what records it gives and needs (kinds.go).
//
// The exit codes are
//
//	0   done: outputs are complete, and the law (in = Σ out + Σ reasons) holds
//	1   failed; every file that the run created is removed
//	2   wrong flags, or another secret than that of the state (package keyed)
//	75  not now, try later (TryLater); files are removed, too
//
// The manager is responsible for durability: it syncs the outputs of a run before it commits them,
// so a stage does not sync. If a stage writes other files, such as a file on another machine or a
// model that replaces an older one, it must make them durable itself before it exits.
//
// If a stage panics on a page, or spends 20 seconds of CPU on it, the batch does not fail: the run
// begins again without the page (blame.go).
//
// SIGINT and SIGTERM cancel the Body's context. The run then fails and leaves no files. A Body that
// does not return, for example because it reads from a terminal, is abandoned after two seconds.
package stage

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// Exit codes of a stage.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
	ExitLater  = 75
)

// A Tool describes the stage to users. -h prints all of it.
type Tool struct {
	Name    string   // name of the program
	Short   string   // one line: "keeps the URLs that are in scope"
	Args    string   // the arguments after the flags; "" means files, or standard input
	Long    string   // what the stage reads and writes, which records end here and why
	Example string   // a command to try by hand
	Check   Check    // what -verify does; zero value: no such flag
	Formats []string // formats with a version, for -version

	longest time.Duration // CPU time that a record may use; 0: longestRecord
}

// A Setup declares the flags of a stage and returns its Body, which is called after they are
// parsed.
type Setup func(fs *flag.FlagSet) Body

// A Body does the work of one run. It closes its outputs before it returns nil.
type Body func(ctx context.Context, env *Env) error

// An Env is the environment of a Body.
type Env struct {
	Inputs []string // files to read, "-" for Stdin; never empty
	Stdin  io.Reader
	Stdout io.Writer
	Files  *output.Run    // creates every output
	Report *report.Report // report of the run
	Hash   *keyed.Hash    // makes the keys of states; nil without a secret
	Log    *slog.Logger   // logs to standard error; level Debug with -v

	checkOnly bool // -check-arguments

	// A Body sets NoReport if it did something other than a run (-explain). Then the law is not
	// checked, and no summary or report is written.
	NoReport bool
}

// CheckArguments comes before arguments that are only to be checked. It is an argument and not an
// environment variable, so that a program that does not know it rejects it and does not run.
const CheckArguments = "-check-arguments"

var errChecked = errors.New("the arguments are valid")

// Ready ends a run that only checks its arguments. A Body calls it after it has checked all
// arguments, including files of rules and the like, and before it uses inputs, states or the
// network. The Body returns its error unchanged.
func (e *Env) Ready() error {
	if e.checkOnly {
		return errChecked
	}
	return nil
}

// Main runs the stage with the process's arguments and exits.
func Main(tool Tool, setup Setup) {
	exit(func(ctx context.Context) int {
		return Run(ctx, tool, setup, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// collect is the value of GOGC for stages, twice Go's default. A stage runs for one batch and keeps
// little of it in memory, so collections cost more than the memory that they save. At 400 the
// memory costs more. GOGC in the environment takes precedence.
const collect = 200

// exit ends the process with the exit code of run. A signal cancels the context of run.
func exit(run func(context.Context) int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collect)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx)
	stop()
	//failpoint:exit
	os.Exit(code)
}

// Run is like Main, but returns the exit code instead of exiting. Tests call it.
func Run(ctx context.Context, tool Tool, setup Setup, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	blamed := map[int64]string{}
	for {
		code, why := attempt(ctx, tool, setup, args, blamed, stdin, stdout, stderr)
		if why == nil {
			return code
		}
		blamed[why.record] = why.reason
	}
}

// attempt performs a run without the blamed records. It returns a recordError if another record
// must be blamed.
func attempt(ctx context.Context, tool Tool, setup Setup, args []string, blamed map[int64]string,
	stdin io.Reader, stdout, stderr io.Writer) (code int, why *recordError) {
	fs := flag.NewFlagSet(tool.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	body := setup(fs)
	reportPath := fs.String("report", "",
		"write the report of the run to `FILE`; without it a summary goes to standard error")
	verify := tool.Check.flag(fs)
	verbose := fs.Bool("v", false, "say more on standard error")
	version := fs.Bool("version", false, "print the version of this program and of its formats, and do nothing else")
	checkOnly := len(args) > 0 && args[0] == CheckArguments
	if checkOnly {
		args = args[1:]
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		printHelp(stdout, tool, fs)
		return ExitDone, nil
	} else if err != nil {
		return fail(stderr, tool, Usagef("%w%s", err, nearFlag(fs, err))), nil
	}
	if *version {
		printVersion(stdout, tool.Name, tool.Formats)
		return ExitDone, nil
	}
	if *verify {
		body = tool.Check.body
	}
	if err := checkAbsent(*reportPath); err != nil {
		return fail(stderr, tool, err), nil
	}
	hash, err := keyed.FromEnv()
	if err != nil {
		return fail(stderr, tool, err), nil
	}
	env := newEnv(fs.Args(), *verbose, stdin, stdout, stderr)
	env.checkOnly, env.Hash = checkOnly, hash
	env.Report.Blame(blamed)
	err = await(ctx, body, env, tool.recordTime())
	if errors.Is(err, errChecked) {
		return ExitDone, nil
	}
	if err == nil && !env.NoReport {
		err = finish(tool, env, *reportPath, stderr)
	}
	if err == nil {
		return ExitDone, nil
	}
	discarded := env.Files.Discard()
	if errors.As(err, &why) && discarded == nil && *reportPath != "" && len(blamed) < maxBlamed && env.repeatable() {
		env.Log.Error("a record broke this program; the run begins again without it. Please report this as a defect",
			"record", why.record, "reason", why.reason, "how", why.how)
		return 0, why
	}
	return fail(stderr, tool, errors.Join(err, discarded)), nil
}

func newEnv(inputs []string, verbose bool, stdin io.Reader, stdout, stderr io.Writer) *Env {
	if len(inputs) == 0 {
		inputs = []string{"-"}
	}
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return &Env{
		Inputs: inputs,
		Stdin:  stdin,
		Stdout: stdout,
		Files:  output.NewRun(stdout),
		Report: report.New(),
		Log:    slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level})),
	}
}

// checkAbsent returns an error if the report at path exists already. It is called before any work
// is done.
func checkAbsent(path string) error {
	if path == "" {
		return nil
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("report %s: it exists already; remove it or choose another name", path)
	}
	return nil
}

// grace is the time that a Body may continue after a signal.
const grace = 2 * time.Second

// await runs body to its end. It abandons body if ctx was done longer than grace ago, or if a
// record has used the CPU time longest.
func await(ctx context.Context, body Body, env *Env, longest time.Duration) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- shielded(inner, body, env) }()
	look := time.NewTicker(longest / 20)
	defer look.Stop()
	w := watch{env: env, longest: longest}
	for {
		select {
		case err := <-done:
			if ctx.Err() != nil {
				return errStopped
			}
			return err
		case <-ctx.Done():
			select {
			case <-done:
			case <-time.After(grace):
			}
			return errStopped
		case <-look.C:
			if err := w.look(); err != nil {
				return err
			}
		}
	}
}

var errStopped = errors.New("stopped by a signal: nothing of this run is kept")

// finish checks the law and writes the report or the summary.
func finish(tool Tool, env *Env, path string, stderr io.Writer) error {
	if path != "" {
		return env.Report.WriteFile(path)
	}
	line, err := env.Report.Summary()
	if err == nil {
		fmt.Fprintf(stderr, "%s: %s\n", tool.Name, line)
	}
	return err
}
