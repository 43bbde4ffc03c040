package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"multitext/classify"
	"multitext/classify/topics"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// evalVerb returns the verb that measures models.
func evalVerb() stage.Verb {
	return stage.Verb{Name: "eval", Tool: stage.Tool{
		Name:  "classify eval",
		Short: "measures how often a model is right about labelled pages",
		Args:  "[FOLDER|PAGES ...]",
		Long: `Classifies pages whose labels are known. For each label it prints the share of its pages that
got this label (the thesis's accuracy, figure 4.1), F1, and the labels that its other pages
got. Then it prints the mean and the variance of the accuracies, as the thesis does, the share
of all pages that got the right label, macro F1, the share of the most frequent label, and the
error of the confidence. -matrix adds the counts for all pairs of labels.

Of a model of a tree it first prints a line for each topic with topics below it, about the
pages below it, and a line for each depth of the tree: the share of right decisions, the error
of the confidence, and Brier's score (0 to 2, less is better). The rest is about the leaves.

` + labelledHelp + `

A test on the pages from which the model learned proves nothing: give train and eval the same
-fold. Nor does a test on the archive of a crawl where classify pages wrote label= with this
model: then every label seems right.`,
		Example: `classify train -fold 1/5 -model m bbc && classify eval -fold 1/5 -matrix -model m bbc`,
	}, Setup: setupEval}
}

func setupEval(fs *flag.FlagSet) stage.Body {
	l := labelled{fold: fold{only: true}}
	l.declare(fs, "use only the pages of fold `I/N`, which train has left out")
	path := fs.String("model", "", "read the model from `FILE`")
	matrix := fs.Bool("matrix", false, "also print the whole matrix")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if err := l.check(); err != nil {
			return err
		}
		if *path == "" {
			return stage.Usagef("-model is required: the file to read")
		}
		m, err := loadModel(*path)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		if m.tree != nil {
			return l.evalTree(ctx, env, m.tree, *matrix)
		}
		return l.eval(ctx, env, m.flat, *matrix)
	}
}

func (l *labelled) eval(ctx context.Context, env *stage.Env, model *classify.Model, matrix bool) error {
	var confusion classify.Confusion
	var ranking classify.Ranking
	err := l.each(ctx, env, func(p *source.Page, j *judge.Judge) error {
		model.Classify(j.Terms(), &ranking)
		confusion.Add(p.Label, &ranking)
		return nil
	})
	if err != nil {
		return err
	}
	return l.print(env.Stdout, &confusion, nil, matrix)
}

// evalTree measures a model of a tree.
func (l *labelled) evalTree(ctx context.Context, env *stage.Env, m *topics.Model, matrix bool) error {
	e := m.Evaluate()
	err := l.each(ctx, env, func(p *source.Page, j *judge.Judge) error { return e.Add(p.Label, j.Terms()) })
	if err != nil {
		return err
	}
	return l.print(env.Stdout, e.Leaves(), e, matrix)
}

// print prints what was measured, of a tree first the topics that have topics below them.
func (l *labelled) print(w io.Writer, confusion *classify.Confusion, tree *topics.Evaluation, matrix bool) error {
	if confusion.Summary().Documents == 0 {
		l.printLeftOut(w)
		return errors.New("there is no page to evaluate with")
	}
	if tree != nil {
		if err := tree.Print(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := confusion.Print(w); err != nil {
		return err
	}
	if matrix {
		if err := confusion.PrintMatrix(w); err != nil {
			return err
		}
	}
	return l.printLeftOut(w)
}
