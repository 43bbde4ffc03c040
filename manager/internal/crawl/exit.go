package crawl

import (
	"errors"
	"fmt"
	"strings"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// Exit codes of the manager.
const (
	ExitDone    = 0 // nothing is left to do
	ExitFailed  = 1 // ended, but work was set aside, or a stage that starts by the clock failed
	ExitBad     = 2 // bad script or usage
	ExitHeld    = 3 // another manager holds the crawl
	ExitStopped = 4 // stopped with work waiting
	ExitDamaged = 5 // the log or live files are damaged
	ExitBroken  = 6 // the log or the directory cannot be written
	ExitLimit   = 7 // a limit of [stop] was reached, work waits
)

// An Exit is an error with an exit code of its own.
type Exit struct {
	Code int
	Err  error // nil where all has been said
}

func (e *Exit) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns what the exit code stands for.
func (e *Exit) Unwrap() error { return e.Err }

// Damaged says that live files are not what the log says they are.
type Damaged struct {
	Root  string
	Files []string
}

func (d *Damaged) Error() string {
	files := "1 live file is"
	if n := len(d.Files); n > 1 {
		files = fmt.Sprintf("%d live files are", n)
	}
	return fmt.Sprintf("%s: %s damaged; nothing was changed. Put back from a copy, or let go of what is lost, by its name, with manager drop:\n  %s",
		d.Root, files, strings.Join(d.Files, "\n  "))
}

// Stuck says that work waits and nothing will ever start it.
type Stuck struct{ Why []string }

func (s *Stuck) Error() string {
	return "the crawl is stuck: work waits, nothing runs and nothing is due:\n  " + strings.Join(s.Why, "\n  ")
}

// A Refusal is a script that does not fit what the crawl holds, or a request
// that makes no sense.
type Refusal struct{ Why []string }

func (r *Refusal) Error() string { return strings.Join(r.Why, "\n") }

// ExitCode maps an error to the exit code that stands for it.
func ExitCode(err error) int {
	var (
		exit    *Exit
		held    *workdir.Held
		damage  *txlog.Damage
		damaged *Damaged
		behind  *workdir.Behind
		stuck   *Stuck
		refusal *Refusal
		errs    script.Errors
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &held):
		return ExitHeld
	case errors.As(err, &damage), errors.As(err, &damaged), errors.As(err, &behind), errors.As(err, &stuck), errors.Is(err, workdir.ErrForeign):
		return ExitDamaged
	case errors.As(err, &refusal), errors.As(err, &errs):
		return ExitBad
	}
	return ExitBroken
}
