package main

import (
	"context"
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/outgoing"
)

// A sender writes each answer to the right output.
type sender struct {
	me        *nodes.Node
	assign    func(*warc.Answer) (place, error)
	linksOnly bool

	sent    *table // nil without -sent and -new
	mine    *warc.Writer
	others  *outgoing.Writers[*warc.Writer]
	unsure  *warc.Writer // for pages with an unsure topic; nil if there is no such file
	encoder *warc.Encoder
	rep     *report.Report
}

// newSender opens the outputs.
func newSender(env *stage.Env, me *nodes.Node, mine, others, unsure string) *sender {
	s := &sender{
		me:      me,
		mine:    warc.NewWriter(env.Files, mine, env.Report.Out),
		encoder: new(warc.Encoder),
		rep:     env.Report,
	}
	s.others = outgoing.New(env.Files, others, outgoing.Pages, func(parts *output.Parts) *warc.Writer {
		return warc.NewPartsWriter(parts, env.Report.Out)
	})
	if unsure != "" {
		s.unsure = warc.NewWriter(env.Files, unsure, env.Report.Out)
	}
	return s
}

// send performs the whole run.
func (s *sender) send(ctx context.Context, env *stage.Env) error {
	if err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, s.answer); err != nil {
		return err
	}
	if err := s.mine.Close(); err != nil {
		return err
	}
	if s.unsure != nil {
		if err := s.unsure.Close(); err != nil {
			return err
		}
	}
	return s.others.Close()
}

// answer writes an answer to the right output.
func (s *sender) answer(r *warc.Reader, a *warc.Answer) error {
	to, err := s.assign(a)
	if err != nil {
		return err
	}
	s.rep.Count(to.kind, 1)
	if to.label == "" {
		s.rep.Count(to.kind+"-bytes", a.Size()) // as in table 5.1 of the thesis, which shows how small such pages are
	}
	packed, err := s.packed(a, to)
	if err == nil && s.leaves(to) && s.sent != nil {
		packed, err = s.once(a, to.node, packed)
	}
	if err != nil {
		return err
	}
	w, err := s.writer(to)
	if err != nil {
		return err
	}
	w.Info(r.Info())
	return w.Write(packed)
}

// leaves reports whether an answer goes to another node.
func (s *sender) leaves(to place) bool { return to.node != nil && to.node != s.me && !s.linksOnly }

// once returns the members of an answer. If the body was sent to the node before with the same
// links, it returns members without the body.
func (s *sender) once(a *warc.Answer, to *nodes.Node, packed warc.Packed) (warc.Packed, error) {
	known, err := s.sent.repeats(a, to)
	if err != nil || !known {
		return packed, err
	}
	s.rep.Count("sent-before", 1)
	revisit, err := s.encoder.Revisit(a, warc.Original{})
	return warc.Packed{Response: revisit.Response, Request: packed.Request}, err
}

// packed returns the members of an answer. If there is no attribute to add, they are unchanged.
func (s *sender) packed(a *warc.Answer, to place) (warc.Packed, error) {
	foreign := s.linksOnly && to.node != nil && to.node != s.me
	if to.label == "" && !foreign {
		return a.Packed(), nil
	}
	return s.encoder.WithRecord(a, func(rec *urlbatch.Record) {
		rec.Del(urlbatch.Label, urlbatch.Sure, urlbatch.Owner)
		if to.label != "" {
			rec.Set(urlbatch.Label, to.label)
		}
		if to.sure > 0 {
			rec.Set(urlbatch.Sure, strconv.FormatFloat(to.sure, 'f', 3, 64))
		}
		if foreign {
			rec.Set(urlbatch.Owner, to.node.Name)
		}
	})
}

// writer returns the output for a place, and counts the answer.
func (s *sender) writer(to place) (*warc.Writer, error) {
	switch {
	case to.node == nil:
		return s.unsure, nil
	case to.node == s.me:
		s.rep.Count("kept", 1)
		return s.mine, nil
	}
	s.rep.Count("to-"+to.node.Name, 1)
	if s.linksOnly {
		return s.mine, nil
	}
	s.rep.Count("sent", 1)
	return s.others.To(to.node)
}
