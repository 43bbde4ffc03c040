package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/blockfile"
)

// run is the stage's Body: it adds the inputs to the state, and writes the page and the tables if
// they are due.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	segment, err := segmentOf(o.state)
	if err != nil {
		return err
	}
	f := &fold{sums: newSums(), env: env, rejected: o.rejected}
	for _, path := range env.Inputs {
		if err := f.batch(ctx, path); err != nil {
			return err
		}
	}
	whole, err := o.merge(env, segment, f.sorted())
	if err != nil {
		return err
	}
	env.Report.Gauge("answers", whole.answers())
	env.Report.Gauge("hosts", whole.Hosts)
	env.Report.Gauge("waiting", whole.Waiting)
	if !whole.due() {
		return nil
	}
	return o.products(env, whole)
}

// segmentOf returns the segment of the state that a file lists, or "".
func segmentOf(list string) (string, error) {
	paths, err := blockfile.Paths(list)
	//failpoint:survey-forgotten paths = nil
	switch {
	case err != nil:
		return "", err
	case len(paths) > 1:
		return "", fmt.Errorf("%s lists %d segments; the state of survey has one", list, len(paths))
	case len(paths) == 1:
		return paths[0], nil
	}
	return "", nil
}

// merge writes the new segment: the rows of the old one and of this run. It returns what the page
// shows of them.
func (o *options) merge(env *stage.Env, segment string, rows []*row) (*whole, error) {
	if o.newSegment == "" {
		return o.join(io.Discard, segment, rows)
	}
	file, err := env.Files.Create(o.newSegment)
	if err != nil {
		return nil, err
	}
	if segment != "" {
		env.Report.Replaces(segment)
	}
	buffered := bufio.NewWriterSize(file, 256<<10)
	w, err := o.join(buffered, segment, rows)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return nil, err
	}
	return w, file.Close(w.rows, env.Report.Made)
}

// join writes the rows of a segment and newer ones, in their order.
func (o *options) join(out io.Writer, segment string, rows []*row) (*whole, error) {
	old, err := openSegment(segment)
	if err != nil {
		return nil, err
	}
	defer old.close()
	w, err := newSegmentWriter(out)
	if err != nil {
		return nil, err
	}
	all := newWhole(o.top)
	limited := &limiter{old: map[string]bool{}, emit: func(r *row) error {
		all.add(r)
		return w.row(r)
	}}
	r, err := old.next()
	for err == nil && (r != nil || len(rows) > 0) {
		switch {
		case r == nil || len(rows) > 0 && r.order(rows[0]) > 0:
			err, rows = limited.row(rows[0], false), rows[1:]
			continue
		case len(rows) > 0 && r.order(rows[0]) == 0:
			r.add(rows[0])
			rows = rows[1:]
		}
		if r.kind == kindWritten {
			all.written = r.n[0]
			r, err = old.next()
			continue
		}
		if err = limited.row(r, true); err == nil {
			r, err = old.next()
		}
	}
	if err == nil {
		err = limited.flush()
	}
	if err != nil {
		return nil, err
	}
	if all.due() {
		all.drawn = all.size()
	} else {
		all.drawn = all.written
	}
	if err := w.row(&row{kind: kindWritten, name: "size", n: []int64{all.drawn}}); err != nil {
		return nil, err
	}
	all.rows = w.rows
	return all, w.end()
}

// products writes the page and the tables.
func (o *options) products(env *stage.Env, w *whole) error {
	if o.html != "" {
		text, err := w.page()
		if err != nil {
			return err
		}
		if err := env.Files.WriteFile(o.html, text, 1, env.Report.Made); err != nil {
			return err
		}
	}
	if o.tsv == "" {
		return nil
	}
	return env.Files.WriteFile(o.tsv, w.tables(), 1, env.Report.Made)
}
