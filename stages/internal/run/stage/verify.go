package stage

import (
	"context"
	"errors"
	"flag"
	"fmt"
)

// A Check is the -verify of a stage. The skeleton declares the flag and calls File with each input.
// Of the stage's other flags it only checks the syntax.
type Check struct {
	Of   string // kind of the files, for -h: "segments of -hosts"
	File func(ctx context.Context, env *Env, path string) error
}

// flag declares -verify, if the stage has a Check.
func (c Check) flag(fs *flag.FlagSet) *bool {
	if c.File == nil {
		return new(bool)
	}
	return fs.Bool("verify", false, "check the arguments, "+c.Of+", and do nothing else")
}

func (c Check) body(ctx context.Context, env *Env) error {
	return Verify(ctx, env, func(path string) error { return c.File(ctx, env, path) })
}

// complaints is the maximum number of files whose errors Verify reports.
const complaints = 20

// Verify calls check with each input, and continues after a damaged file. Its error has the faults
// of the first damaged files, and their number. It writes no outputs and no report.
func Verify(ctx context.Context, env *Env, check func(path string) error) error {
	env.NoReport = true
	if err := env.Ready(); err != nil {
		return err
	}
	var errs []error
	bad := 0
	for _, path := range env.Inputs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := check(path)
		if err == nil {
			continue
		}
		if bad++; bad <= complaints {
			errs = append(errs, err)
		}
	}
	if bad == 0 {
		return nil
	}
	return errors.Join(fmt.Errorf("%d of %d files are not whole", bad, len(env.Inputs)), errors.Join(errs...))
}
