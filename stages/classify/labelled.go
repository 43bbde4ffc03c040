package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// labelled holds the flags that select labelled pages, for training or evaluation.
type labelled struct {
	reading
	lists   *[]string // lists of files and their labels
	nested  bool      // the label of a file is the path of its folder
	labels  string    // a list of URLs and their labels
	english string    // method that selects English pages; "": use all pages
	fold    fold

	leftOut map[string]int // number of pages left out, by reason
}

func (l *labelled) declare(fs *flag.FlagSet, fold string) {
	l.reading.declare(fs)
	l.lists = stage.StringsVar(fs, "index",
		"also read the files named in the lines \"PATH tab LABEL\" of `FILE`; may be repeated")
	fs.BoolVar(&l.nested, "nested", false,
		"the label of a file in a FOLDER is the path of its folder, such as sport/hockey, not sport")
	fs.StringVar(&l.labels, "labels", "",
		"read the labels for page batches from the lines \"URL tab LABEL\" of `FILE`; of a URL the last line counts.\n"+
			"A page whose URL is not there keeps the attribute label")
	fs.StringVar(&l.english, "english", "",
		"use only pages that are English by this `METHOD`: twostep, words or ngrams")
	fs.Func("fold", fold, l.fold.set)
}

// each calls do with every page that has a label and can be classified. The judge has its terms.
func (l *labelled) each(ctx context.Context, env *stage.Env, do func(*source.Page, *judge.Judge) error) error {
	if l.english != "" && !slices.Contains(judge.Methods(), l.english) {
		return stage.Usagef("-english %.40q: want one of %s", l.english, strings.Join(judge.Methods(), ", "))
	}
	j, err := judge.New(judge.Options{Language: l.english, ASCII: l.ascii, Short: l.terms})
	if err != nil {
		return err
	}
	r, first, err := l.reader(env)
	if err != nil {
		return err
	}
	l.leftOut = map[string]int{}
	all, firstPage := 0, ""
	take := func(p *source.Page) error {
		if all++; all == 1 {
			firstPage = p.Name
		}
		if reason := l.refuse(p, j); reason != "" {
			l.leftOut[reason]++
			return nil
		}
		return do(p, j)
	}
	for _, list := range *l.lists {
		if err := r.List(ctx, list, take); err != nil {
			return err
		}
	}
	if len(*l.lists) > 0 && slices.Equal(env.Inputs, []string{"-"}) {
		return nil // only lists were given
	}
	err = r.Each(ctx, env.Inputs, take)
	if err == nil && l.labels != "" && all > 0 && l.leftOut[unlabelled] == all {
		return fmt.Errorf("no page has a label of %s: %d without one, the first %.200q; the first label is of %.200q",
			l.labels, all, firstPage, first)
	}
	return err
}

// reader returns a reader of pages with the labels of -labels, and the first URL there.
func (l *labelled) reader(env *stage.Env) (r *source.Reader, first string, err error) {
	r = &source.Reader{Max: int64(l.maxPage), Nested: l.nested, Stdin: env.Stdin}
	if l.labels == "" {
		return r, "", nil
	}
	if r.Labels, first, err = source.ReadLabels(l.labels); err == nil && len(r.Labels) == 0 {
		err = fmt.Errorf("%s has no label", l.labels)
	}
	return r, first, err
}

// unlabelled says why a page is left out that has no label.
const unlabelled = "without a label"

// refuse returns why a page is left out, or "".
func (l *labelled) refuse(p *source.Page, j *judge.Judge) string {
	if p.Label == "" {
		return unlabelled
	}
	if !l.fold.takes(p.Name) {
		return "of another fold"
	}
	if p.Elsewhere {
		return "revisits"
	}
	if verdict := j.Read(p.Page); verdict != terms.Classifiable {
		return verdict.String()
	}
	if l.english != "" && j.Language().Language != judge.English {
		return "foreign"
	}
	return ""
}

// printLeftOut writes a line about the pages that were left out, if there are any.
func (l *labelled) printLeftOut(w io.Writer) error {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(l.leftOut)) {
		parts = append(parts, fmt.Sprintf("%d %s", l.leftOut[reason], reason))
	}
	if len(parts) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "left out: %s\n", strings.Join(parts, ", "))
	return err
}

// A fold is one of several parts into which pages are divided by the hash of their names. As a flag
// it is written 1/5.
type fold struct {
	number, of uint64
	only       bool // use pages of this fold; else pages of the other folds
}

// set parses a fold such as 1/5.
func (f *fold) set(s string) error {
	number, of, ok := strings.Cut(s, "/")
	a, errA := strconv.ParseUint(number, 10, 16)
	b, errB := strconv.ParseUint(of, 10, 16)
	if !ok || errA != nil || errB != nil || a < 1 || a > b || b < 2 {
		return fmt.Errorf("%q is not a fold: write 1/5 for the first of five", s)
	}
	f.number, f.of = a, b
	return nil
}

// takes reports whether the page with this name is used. For a file only the base name counts.
func (f *fold) takes(name string) bool {
	if f.of == 0 {
		return true
	}
	return (xxhash.Sum64String(ownName(name))%f.of == f.number-1) == f.only
}

// ownName returns a name of a page that does not depend on its folder: a URL, or the base name of a
// file.
func ownName(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return filepath.Base(name)
}
