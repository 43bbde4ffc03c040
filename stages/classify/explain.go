package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// explainVerb returns the verb that explains how a page is classified.
func explainVerb() stage.Verb {
	return stage.Verb{Name: "explain", Tool: stage.Tool{
		Name:  "classify explain",
		Short: "explains how a page is classified",
		Args:  "[PAGE ...]",
		Long: `Prints for each page whether it can be classified, and its language by the word list and by
n-grams. With -model it also prints the topic, how sure it is, and the terms that decided
between the first topic and the second. With a model of a tree it does so for each topic on
the way from the root to the most probable leaf.

A page is an HTML or text file, with or without a header above it, or an answer in a page
batch (WARC). Without arguments the page is read from standard input. Nothing is written.
Control characters in pages are escaped.`,
		Example: `classify explain -model topics.model index.html`,
	}, Setup: setupExplain}
}

func setupExplain(fs *flag.FlagSet) stage.Body {
	var r reading
	r.declare(fs)
	path := fs.String("model", "", "read the model from `FILE`; without it no topic is printed")
	top := fs.Int("top", 20, "print the `N` terms that mattered most")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if err := r.check(); err != nil {
			return err
		}
		e, err := newExplainer(&r, *path, *top)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		pages := &source.Reader{Max: int64(r.maxPage), Stdin: env.Stdin}
		return pages.Each(ctx, env.Inputs, func(p *source.Page) error { return e.explain(env.Stdout, p) })
	}
}

// An explainer has everything that is used to classify pages.
type explainer struct {
	judge *judge.Judge
	words *language.WordList
	grams *language.NGrams
	two   *language.TwoStep
	model *model // nil: no topic is printed
	top   int
}

func newExplainer(r *reading, path string, top int) (*explainer, error) {
	e := &explainer{top: max(top, 0)}
	var err error
	if e.judge, err = judge.New(judge.Options{ASCII: r.ascii, Short: r.terms}); err != nil {
		return nil, err
	}
	if e.two, err = language.NewTwoStep(true); err != nil {
		return nil, err
	}
	e.words, e.grams = e.two.Words, e.two.NGrams
	if path != "" {
		var m model
		m, err = loadModel(path)
		e.model = &m
	}
	return e, err
}

func (e *explainer) explain(w io.Writer, p *source.Page) error {
	if p.Elsewhere {
		_, err := fmt.Fprintf(w, "%s\n  a revisit: another answer has its text\n", classify.Plain(p.Name))
		return err
	}
	verdict := e.judge.Read(p.Page)
	page := e.judge.Terms()
	fmt.Fprintf(w, "%s\n  %s: status %d, %d terms, %d different\n",
		classify.Plain(p.Name), verdict, p.Status, page.Total(), page.Len())
	if verdict == terms.Empty || verdict == terms.Invalid || verdict == terms.NoText {
		return nil
	}
	code := e.two.Identify(page).Language
	known, named := e.words.Identify(page), e.grams.Identify(page)
	fmt.Fprintf(w, "  language: %s; %.1f %% of its terms are in the list of words: "+
		"above %.0f %% it is English, below %.0f %% it is not, and in between\n"+
		"    n-grams decide, which are most like %s (%.3f); -language words takes more than %.0f %% for English\n",
		orUnknown(code), 100*known.Score, 100*e.two.English, 100*e.two.Foreign,
		orUnknown(named.Language), named.Score, 100*e.words.Cutoff)
	if e.model == nil {
		return nil
	}
	if code != judge.English {
		fmt.Fprintln(w, "  its topic counts only if no crawler owns foreign pages")
	}
	return e.model.explain(w, page, e.top)
}

func orUnknown(code string) string {
	if code == "" {
		return "unknown"
	}
	return code
}
