package main

import (
	"bytes"
	"container/heap"
	"context"
	"io"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
)

// A source is an input of a merge and its current line.
type source struct {
	*cdxj.Reader
	line []byte
}

// sources is a heap; the least line is on top.
type sources []*source

func (s sources) Len() int           { return len(s) }
func (s sources) Less(i, j int) bool { return bytes.Compare(s[i].line, s[j].line) < 0 }
func (s sources) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *sources) Push(x any)        { *s = append(*s, x.(*source)) }
func (s *sources) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}

// merge writes the lines of all inputs in order, each once.
func merge(ctx context.Context, env *stage.Env, out string) error {
	var live sources
	for _, path := range env.Inputs {
		r, err := cdxj.Open(path, env.Stdin)
		if err != nil {
			return err
		}
		defer r.Close()
		if err := live.next(&source{Reader: r}); err != nil {
			return err
		}
	}
	w := output.NewWriter(env.Files.Parts(out), env.Report.Out, nil)
	var last []byte
	for len(live) > 0 && ctx.Err() == nil {
		s := heap.Pop(&live).(*source)
		env.Report.In(1)
		if w.Records() > 0 && bytes.Equal(s.line, last) {
			env.Report.Reason("repeated", 1)
		} else {
			last = append(last[:0], s.line...)
			if err := w.Append(s.line, []byte("\n")); err != nil {
				return err
			}
		}
		if err := live.next(s); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return w.Close()
}

// next advances x, which is not in the heap, to its next line and pushes it back. At its end x
// stays out of the heap.
func (s *sources) next(x *source) (err error) {
	if x.line, err = x.Next(); err == io.EOF {
		return nil
	}
	if err == nil {
		heap.Push(s, x)
	}
	return err
}
