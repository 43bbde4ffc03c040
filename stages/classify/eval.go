package main

import (
	"context"
	"errors"
	"flag"

	"multitext/classify"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// evalVerb measures models.
func evalVerb() stage.Verb {
	return stage.Verb{Name: "eval", Tool: stage.Tool{
		Name:  "classify eval",
		Short: "says how often a model is right about pages with labels",
		Args:  "[FOLDER|PAGES ...]",
		Long: `Classifies pages whose labels are known and prints, for each label, the share of its pages that were
given it (the thesis's accuracy, figure 4.1), F1, and what they were taken for; then the mean and the variance
of the accuracies, as the thesis prints them, the share of all pages, macro F1, the share of the most frequent
label, and by how much confidence is off. -matrix adds all pairs of labels.

` + labelledHelp + `

Pages that the model has learned from prove nothing: give train and eval the same -fold. Nor does the archive
of a crawl whose classify pages wrote label= by this model: all of it is right.`,
		Example: `classify train -fold 1/5 -model m bbc && classify eval -fold 1/5 -matrix -model m bbc`,
	}, Setup: setupEval}
}

func setupEval(fs *flag.FlagSet) stage.Body {
	l := labelled{fold: fold{only: true}}
	l.declare(fs, "take only the pages of fold `I/N`, which train has left out")
	path := fs.String("model", "", "read the model from `FILE`")
	matrix := fs.Bool("matrix", false, "print the whole matrix, too")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if err := l.check(); err != nil {
			return err
		}
		if *path == "" {
			return stage.Usagef("-model must be given: the file to read")
		}
		model, err := classify.Load(*path)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return l.eval(ctx, env, model, *matrix)
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
	if confusion.Summary().Documents == 0 {
		l.printLeftOut(env.Stdout)
		return errors.New("no page to evaluate with")
	}
	if err := confusion.Print(env.Stdout); err != nil {
		return err
	}
	if matrix {
		if err := confusion.PrintMatrix(env.Stdout); err != nil {
			return err
		}
	}
	return l.printLeftOut(env.Stdout)
}
