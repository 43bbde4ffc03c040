package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// explainVerb tells why a page is judged as it is.
func explainVerb() stage.Verb {
	return stage.Verb{Name: "explain", Tool: stage.Tool{
		Name:  "classify explain",
		Short: "tells why a page is judged as it is",
		Args:  "[PAGE ...]",
		Long: `Tells of each page whether it can be classified; its language, by the list of words and by n-grams; and
with -model its topic, how sure it is, and the terms that decided between the first topic and the second.

A page is a file, HTML or text, with or without a header above it, or any answer of a page batch (WARC);
without an argument, what comes by standard input.
Nothing is written. What strangers wrote is printed with control characters escaped.`,
		Example: `classify explain -model topics.model index.html`,
	}, Setup: setupExplain}
}

func setupExplain(fs *flag.FlagSet) stage.Body {
	var r reading
	r.declare(fs)
	path := fs.String("model", "", "read the model from `FILE`; without it no topic is told")
	top := fs.Int("top", 20, "name the `N` terms that mattered most")
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

// An explainer has all that pages are judged by.
type explainer struct {
	judge *judge.Judge
	words *language.WordList
	grams *language.NGrams
	two   *language.TwoStep
	model *classify.Model // nil: no topic is told
	top   int
}

func newExplainer(r *reading, model string, top int) (*explainer, error) {
	e := &explainer{top: max(top, 0)}
	var err error
	if e.judge, err = judge.New(judge.Options{ASCII: r.ascii, Short: r.terms}); err != nil {
		return nil, err
	}
	if e.two, err = language.NewTwoStep(true); err != nil {
		return nil, err
	}
	e.words, e.grams = e.two.Words, e.two.NGrams
	if model != "" {
		e.model, err = classify.Load(model)
	}
	return e, err
}

func (e *explainer) explain(w io.Writer, p *source.Page) error {
	if p.Elsewhere {
		_, err := fmt.Fprintf(w, "%s\n  a revisit: its text is with another answer\n", shown(p.Name))
		return err
	}
	verdict := e.judge.Read(p.Page)
	page := e.judge.Terms()
	fmt.Fprintf(w, "%s\n  %s: status %d, %d terms, %d different\n",
		shown(p.Name), verdict, p.Status, page.Total(), page.Len())
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
		fmt.Fprintln(w, "  its topic counts only where no crawler owns foreign pages")
	}
	return e.model.Explain(page, e.top).Print(w)
}

func orUnknown(code string) string {
	if code == "" {
		return "unknown"
	}
	return code
}

// shown is s where it is harmless on a terminal, else s quoted in ASCII.
func shown(s string) string {
	if quoted := strconv.QuoteToGraphic(s); quoted[1:len(quoted)-1] == s {
		return s
	}
	return strconv.QuoteToASCII(s)
}
