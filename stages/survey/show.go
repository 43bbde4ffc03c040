package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"multitext/stages/internal/run/stage"
)

// verify is -verify of a segment.
func verify(_ context.Context, _ *stage.Env, path string) error {
	r, err := openSegment(path)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		if row, err := r.next(); row == nil || err != nil {
			return err
		}
	}
}

// showSegments prints the tables of segments, with all hosts, and makes the page of the last one.
func (o *options) showSegments(env *stage.Env) error {
	env.NoReport = true
	for _, path := range env.Inputs {
		w, err := (&options{top: math.MaxInt}).join(io.Discard, path, nil)
		if err != nil {
			return err
		}
		if _, err := env.Stdout.Write(w.tables()); err != nil {
			return fmt.Errorf("write the tables: %w", err)
		}
		if o.html == "" {
			continue
		}
		short, err := o.join(io.Discard, path, nil)
		if err != nil {
			return err
		}
		text, err := short.page()
		if err != nil {
			return err
		}
		if err := env.Files.WriteFile(o.html, text, 1, env.Report.Made); err != nil {
			return err
		}
	}
	return nil
}
