package main

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
)

// index writes the lines of the answers of the inputs, sorted within each part of portion bytes;
// with all, of those that say "not modified", too.
func index(ctx context.Context, env *stage.Env, out string, all bool, portion int) error {
	s := &sorter{out: output.NewWriter(env.Files.Parts(out), env.Report.Made, nil), portion: portion}
	for _, path := range env.Inputs {
		if path == "-" {
			return stage.Usagef("an index names files, and standard input has no name")
		}
		err := warc.Each(ctx, []string{path}, nil, env.Report, func(_ *warc.Reader, a *warc.Answer) error {
			if a.NotModified() && !all {
				env.Report.Reason("not-modified", 1)
				return nil
			}
			line, reason, err := capture(a, filepath.Base(path))
			if err != nil {
				return err
			}
			env.Report.Reason(reason, 1)
			return s.add(line)
		})
		if err != nil {
			return err
		}
	}
	return s.flush()
}

// capture returns the line of an answer, none if it cannot have one, and why the answer leaves.
func capture(a *warc.Answer, file string) (line []byte, reason string, err error) {
	l, err := lineOf(a, file)
	if err != nil {
		return nil, "", err
	}
	year := l.Date.UTC().Year() // with its zone, it may be one that four digits do not hold
	switch {
	case l.Date.IsZero() || year < 0 || year > 9999:
		return nil, "bad-date", nil
	case l.Key == "":
		return nil, "no-url", nil
	}
	if line = l.Append(nil); len(line) > cdxj.MaxLine {
		return nil, "too-long", nil
	}
	return line, "indexed", nil
}

// A sorter gathers lines, and writes them sorted when they are many.
type sorter struct {
	out     *output.Writer
	portion int // bytes
	lines   [][]byte
	size    int
}

func (s *sorter) add(line []byte) error {
	if line == nil {
		return nil
	}
	s.lines = append(s.lines, line)
	if s.size += len(line); s.size < s.portion {
		return nil
	}
	return s.flush()
}

// flush writes what was gathered as a part.
func (s *sorter) flush() error {
	slices.SortFunc(s.lines, bytes.Compare)
	for _, line := range s.lines {
		if err := s.out.Append(line); err != nil {
			return err
		}
	}
	s.lines, s.size = s.lines[:0], 0
	return s.out.Cut()
}
