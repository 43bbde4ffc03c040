package main

import (
	"flag"
	"slices"
	"strings"

	"multitext/classify/topics"
	"multitext/stages/classify/internal/focus"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/run/stage"
)

// focusFlags are the flags by which a crawler judges how relevant pages are.
type focusFlags struct {
	tree, good, english string
	mode                string // only of pages; "": focus.Soft
}

func (f *focusFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.tree, "tree", "",
		"judge how relevant pages are by the model of a tree of topics in `FILE` (classify train makes it)")
	fs.StringVar(&f.good, "good", "", "with -tree: these `TOPICS` are wanted, with commas between them")
	fs.StringVar(&f.english, "english", "",
		"with -tree: judge only pages that are English by this `METHOD`: twostep, words or ngrams")
}

// focus returns the focus that the flags describe, or nil without -tree.
func (f *focusFlags) focus(r *reading) (*focus.Focus, error) {
	switch mode := f.mode; {
	case mode == "":
		f.mode = focus.Soft
	case !slices.Contains(focus.Modes(), mode):
		return nil, stage.Usagef("-focus %.40q: want one of %s", mode, strings.Join(focus.Modes(), ", "))
	}
	if f.tree == "" {
		if f.good != "" || f.english != "" || f.mode != focus.Soft {
			return nil, stage.Usagef("-good, -english and -focus work only with -tree: give it, too")
		}
		return nil, nil
	}
	if f.english != "" && !slices.Contains(judge.Methods(), f.english) {
		return nil, stage.Usagef("-english %.40q: want one of %s", f.english, strings.Join(judge.Methods(), ", "))
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	model, err := topics.Load(f.tree)
	if err != nil {
		return nil, err
	}
	o := focus.Options{Model: model, Mode: f.mode, Language: f.english, ASCII: r.ascii, Short: r.terms,
		Max: int64(r.maxPage)}
	if f.good != "" {
		if o.Good, err = model.Tree.Good(strings.Split(f.good, ",")); err != nil {
			return nil, stage.Usagef("-good: %w", err)
		}
	}
	return focus.New(o)
}
