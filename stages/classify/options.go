package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"multitext/classify"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
)

// The partitions of pages.
const (
	byTopic    = "topic"
	byLanguage = "language"
	byContent  = "content"
	byNone     = "none"
	byText     = "text"
)

// Targets of pages that are not judged by their text, beside names of nodes.
const (
	local = "local" // they stay where they are
	first = "#0"    // they go to the node of that number
)

// reading is how pages are read, which must be the same for training and for use.
type reading struct {
	ascii   bool
	terms   int
	maxPage stage.Size
}

func (r *reading) declare(fs *flag.FlagSet) {
	fs.BoolVar(&r.ascii, "ascii", false, "take every page for US-ASCII, as the thesis did, whatever its charset")
	fs.IntVar(&r.terms, "terms", 50, "a page of fewer terms than `N` is SHORT; 50 is X4's number, 1 the thesis's")
	r.maxPage = 2 << 20
	fs.Var(&r.maxPage, "max-page", "judge a page by at most this `SIZE` of it, inflated")
}

func (r *reading) check() error {
	if r.terms < 1 || r.maxPage < 1 {
		return stage.Usagef("-terms and -max-page must be above 0")
	}
	return nil
}

// options are the flags by which a page is assigned.
type options struct {
	reading
	nodes           nodes.Flags
	by              string
	model, language string
	noText, short   string
	sure            float64
	unsure          string
}

func (o *options) declare(fs *flag.FlagSet) {
	o.reading.declare(fs)
	o.nodes.Declare(fs)
	fs.StringVar(&o.by, "by", byTopic, "partition pages by `WHAT`: topic, language, content, none or text")
	fs.StringVar(&o.model, "model", "", "with -by topic: read the model from `FILE` (classify train makes it)")
	fs.StringVar(&o.language, "language", judge.TwoStep,
		"tell languages by this `METHOD`: twostep, words (the thesis's) or ngrams")
	fs.StringVar(&o.noText, "no-text", local,
		"give pages without text to `NODE`; #0: to the first of -nodes, as the thesis did; local: they stay")
	fs.StringVar(&o.short, "short", local,
		"give pages of too few terms to `NODE`; #0: to the first of -nodes, as X4 did; local: they stay")
	fs.Float64Var(&o.sure, "sure", 0, "a topic that is less sure than `SHARE`, from 0 to 1, is unsure")
	fs.StringVar(&o.unsure, "unsure", local,
		"give pages of unsure topic to `NODE`; local: they stay; with a / in it: write them to this file")
}

// unsureFile is the file of -unsure, "" if it names a node.
func (o *options) unsureFile() string {
	if strings.Contains(o.unsure, "/") {
		return o.unsure
	}
	return ""
}

// assigner makes the assigner that the options ask for.
func (o *options) assigner(set *nodes.Set, me *nodes.Node) (*assigner, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if !(o.sure >= 0 && o.sure <= 1) {
		return nil, stage.Usagef("-sure %v: want 0 to 1", o.sure)
	}
	if !slices.Contains(judge.Methods(), o.language) {
		return nil, stage.Usagef("-language %.40q is none of %s", o.language, strings.Join(judge.Methods(), ", "))
	}
	s := &assigner{by: o.by, set: set, me: me, least: o.sure}
	for _, t := range []struct {
		name string
		to   **nodes.Node
	}{{o.noText, &s.noText}, {o.short, &s.short}, {o.unsure, &s.unsure}} {
		if err := s.target(t.name, t.to); err != nil {
			return nil, err
		}
	}
	model, err := o.load(set)
	if err != nil {
		return nil, err
	}
	var topics []string
	if model != nil {
		topics = model.Labels()
	}
	j := judge.Options{Model: model, ASCII: o.ascii, Short: o.terms}
	if s.languages, j.Named, err = languagesOf(set, topics); err != nil {
		return nil, fmt.Errorf("%s: %w", o.nodes.File, err)
	}
	if s.languages {
		j.Language = o.language
	}
	s.judge, err = judge.New(j)
	return s, err
}

// target finds the node that a kind of pages goes to; a file is none.
func (s *assigner) target(name string, to **nodes.Node) (err error) {
	switch {
	case name == local:
		*to = s.me
	case name == first:
		*to = s.set.All()[0]
	case !strings.Contains(name, "/"):
		*to, err = s.set.ByName(name)
	}
	return err
}

// load reads the model, if there is to be one, and checks that each label has an owner.
func (o *options) load(set *nodes.Set) (*classify.Model, error) {
	if o.by == byLanguage {
		if _, ok := set.ByLabel(nodes.Foreign); !ok {
			return nil, fmt.Errorf("-by language: %w", set.Owned([]string{nodes.Foreign}))
		}
		return nil, nil
	}
	if o.model == "" {
		return nil, stage.Usagef("-by topic wants a -model, which classify train makes")
	}
	model, err := classify.Load(o.model)
	if err != nil {
		return nil, err
	}
	return model, set.Owned(model.Labels())
}
