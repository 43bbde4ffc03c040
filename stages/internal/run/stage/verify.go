package stage

import (
	"context"
	"errors"
	"fmt"
)

// complaints bounds the files that Verify tells about.
const complaints = 20

// Verify is the Body of a stage's -verify: it calls check with each input and goes on behind one
// that is not whole. The error tells what is wrong with the first of them and how many there are.
// Nothing is written, and there is no report.
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
