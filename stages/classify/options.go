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

// The values of -by, the partitions of pages.
const (
	byTopic    = "topic"
	byLanguage = "language"
	byContent  = "content"
	byNone     = "none"
	byText     = "text"
)

// Targets, beside names of nodes, for pages that are not judged by their text.
const (
	local = "local" // the pages stay with this crawler
	first = "#0"    // the pages go to the first node
)

// reading says how pages are read. Training and use must read pages in the same way.
type reading struct {
	ascii   bool
	terms   int
	maxPage stage.Size
}

func (r *reading) declare(fs *flag.FlagSet) {
	fs.BoolVar(&r.ascii, "ascii", false, "read every page as US-ASCII, as the thesis did, whatever its charset")
	fs.IntVar(&r.terms, "terms", 50, "a page with fewer than `N` terms is SHORT; X4 uses 50, the thesis 1")
	r.maxPage = 2 << 20
	fs.Var(&r.maxPage, "max-page", "judge a page by at most this `SIZE` of it, decompressed")
}

func (r *reading) check() error {
	if r.terms < 1 || r.maxPage < 1 {
		return stage.Usagef("-terms and -max-page must be above 0")
	}
	return nil
}

// options holds the flags that decide how pages are assigned.
type options struct {
	reading
	focusFlags
	nodes           nodes.Flags
	by              string
	model, language string
	noText, short   string
	sure            float64
	unsure          string
}

func (o *options) declare(fs *flag.FlagSet) {
	o.reading.declare(fs)
	o.focusFlags.declare(fs)
	o.nodes.Declare(fs)
	fs.StringVar(&o.by, "by", "",
		"partition pages by `WHAT`: topic, language, content, none or text; default topic, or none with -tree and\n"+
			"without -nodes")
	fs.StringVar(&o.model, "model", "", "with -by topic: read the model from `FILE` (classify train makes it)")
	fs.StringVar(&o.language, "language", judge.TwoStep,
		"recognize languages by this `METHOD`: twostep, words (as in the thesis) or ngrams")
	fs.StringVar(&o.noText, "no-text", local,
		"send pages without text to `NODE`; #0: to the first of -nodes, as the thesis did; local: keep them")
	fs.StringVar(&o.short, "short", local,
		"send pages with too few terms to `NODE`; #0: to the first of -nodes, as X4 did; local: keep them")
	fs.Float64Var(&o.sure, "sure", 0, "a topic with a confidence below `SHARE`, from 0 to 1, is unsure")
	fs.StringVar(&o.unsure, "unsure", local,
		"send pages with an unsure topic to `NODE`; local: keep them; a name with / is a file: write them to it")
}

// loadNodes returns the nodes and this crawler's own. A crawler that is alone has nobody to send
// to.
func (o *options) loadNodes() (set *nodes.Set, me *nodes.Node, err error) {
	alone := o.nodes == nodes.Flags{}
	if o.by == "" {
		o.by = byTopic
		if o.tree != "" && alone {
			o.by = byNone
		}
	}
	if o.by == byNone && alone {
		return nil, new(nodes.Node), nil
	}
	return o.nodes.Load()
}

// unsureFile returns the file in -unsure, or "" if it names a node.
func (o *options) unsureFile() string {
	if strings.Contains(o.unsure, "/") {
		return o.unsure
	}
	return ""
}

// assigner returns the assigner that the options describe.
func (o *options) assigner(set *nodes.Set, me *nodes.Node) (*assigner, error) {
	if err := o.reading.check(); err != nil {
		return nil, err
	}
	if !(o.sure >= 0 && o.sure <= 1) {
		return nil, stage.Usagef("-sure %v: want 0 to 1", o.sure)
	}
	if !slices.Contains(judge.Methods(), o.language) {
		return nil, stage.Usagef("-language %.40q: want one of %s", o.language, strings.Join(judge.Methods(), ", "))
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

// target sets *to to the node to which a kind of pages goes. A file is not a node.
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

// load reads the model, if -by needs one, and checks that each label has an owner.
func (o *options) load(set *nodes.Set) (*classify.Model, error) {
	if o.by == byLanguage {
		if _, ok := set.ByLabel(nodes.Foreign); !ok {
			return nil, fmt.Errorf("-by language: %w", set.Owned([]string{nodes.Foreign}))
		}
		return nil, nil
	}
	if o.model == "" {
		return nil, stage.Usagef("-by topic needs a -model, which classify train makes")
	}
	model, err := classify.Load(o.model)
	if err != nil {
		return nil, err
	}
	return model, set.Owned(model.Labels())
}
