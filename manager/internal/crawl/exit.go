package crawl

import (
	"errors"
	"fmt"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// Exit codes of the manager.
const (
	ExitDone    = 0 // nothing is left to do
	ExitFailed  = 1 // ended, but a batch was set aside, or a stage that the clock starts failed
	ExitBad     = 2 // bad script or usage
	ExitHeld    = 3 // another manager holds the crawl
	ExitStopped = 4 // stopped with work waiting
	ExitDamaged = 5 // the log or live files are damaged
	ExitBroken  = 6 // the log or the directory cannot be written
	ExitLimit   = 7 // a limit of [stop] was reached with work waiting
)

// An Exit is an error with an exit code.
type Exit struct {
	Code int
	Err  error // nil if everything was printed already
}

func (e *Exit) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns the wrapped error.
func (e *Exit) Unwrap() error { return e.Err }

// badUsage returns an error about a script that does not fit the crawl, or about an invalid
// request.
func badUsage(format string, args ...any) error {
	return &Exit{ExitBad, fmt.Errorf(format, args...)}
}

// ExitCode returns the exit code for an error.
func ExitCode(err error) int {
	var (
		exit   *Exit
		held   *workdir.Held
		damage *txlog.Damage
		behind *workdir.Behind
		errs   script.Errors
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &held):
		return ExitHeld
	case errors.As(err, &damage), errors.As(err, &behind), errors.Is(err, workdir.ErrForeign):
		return ExitDamaged
	case errors.As(err, &errs):
		return ExitBad
	}
	return ExitBroken
}
