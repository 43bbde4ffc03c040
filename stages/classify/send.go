package main

import (
	"context"
	"strconv"

	"multitext/stages/classify/internal/focus"
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
	focus     *focus.Focus // nil without -tree
	linksOnly bool

	sent    *table // nil without -sent and -new
	mine    *warc.Writer
	others  *outgoing.Writers[*warc.Writer]
	unsure  *warc.Writer // for pages with an unsure topic; nil if there is no such file
	aside   *warc.Writer // for pages that are not of good topics; nil if there is no such file
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
	for _, w := range []*warc.Writer{s.unsure, s.aside} {
		if w != nil {
			if err := w.Close(); err != nil {
				return err
			}
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
	if to.kind != "" {
		s.rep.Count(to.kind, 1)
	}
	if to.label == "" && to.kind != "" {
		s.rep.Count(to.kind+"-bytes", a.Size()) // as in table 5.1 of the thesis, which shows how small such pages are
	}
	var rel focus.Relevance
	if s.focus != nil {
		if rel, err = s.focus.Answer(a); err != nil {
			return err
		}
		s.rep.Count("focus-"+rel.Kind, 1)
	}
	packed, err := s.packed(a, to, rel)
	if err == nil && s.leaves(to) && s.sent != nil {
		packed, err = s.once(a, to.node, packed)
	}
	if err != nil {
		return err
	}
	w, err := s.writer(a, to, rel)
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
func (s *sender) packed(a *warc.Answer, to place, rel focus.Relevance) (warc.Packed, error) {
	foreign := s.linksOnly && to.node != nil && to.node != s.me
	judged := s.focus != nil && !rel.Passes
	if to.label == "" && !foreign && !judged {
		return a.Packed(), nil
	}
	return s.encoder.WithRecord(a, func(rec *urlbatch.Record) {
		if to.label != "" || foreign {
			rec.Del(urlbatch.Label, urlbatch.Sure, urlbatch.Owner)
		}
		if to.label != "" {
			rec.Set(urlbatch.Label, to.label)
		}
		if to.sure > 0 {
			rec.Set(urlbatch.Sure, share(to.sure))
		}
		if foreign {
			rec.Set(urlbatch.Owner, to.node.Name)
		}
		if judged {
			s.focus.Mark(rec, rel)
		}
	})
}

// writer returns the output for an answer, and counts it.
func (s *sender) writer(a *warc.Answer, to place, rel focus.Relevance) (*warc.Writer, error) {
	switch {
	case !s.leaves(to) && s.focus != nil && s.focus.Elsewhere(a.Record(), rel):
		s.rep.Count("elsewhere", 1)
		return s.aside, nil
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

// share formats a number from 0 to 1 for an attribute.
func share(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
