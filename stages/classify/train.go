package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"multitext/classify"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// trainVerb makes models.
func trainVerb() stage.Verb {
	return stage.Verb{Name: "train", Tool: stage.Tool{
		Name:  "classify train",
		Short: "makes a model from pages with labels",
		Args:  "[FOLDER|PAGES ...]",
		Long: `Reads pages and writes what it learned to -model, in place of the file that was there.

` + labelledHelp + `

Methods: bayes (naive Bayes, the thesis's choice), lewis, rocchio, complement, linear. -select says how
the -features best terms are chosen: df (document frequency), ig (information gain) or chi2. Lewis' method
wants a few thousand; the others take all. The same pages give the same file, byte for byte.

Memory: 8 bytes for each different term of each page, and the model, 256 MiB at most.`,
		Example: `classify train -model topics.model bbc
classify train -fold 1/2 -method linear -model half.model bbc && classify eval -fold 1/2 -model half.model bbc
classify train -index pages.tsv -features 5000 -method lewis -model lewis.model`,
	}, Setup: setupTrain}
}

// labelledHelp tells what train and eval read.
const labelledHelp = `An argument is a folder with a folder for each label in it, or a page batch (WARC)
whose answers carry label=, or have their labels in the list -labels. -index names single files and
their labels. Files are HTML or text, with or without a header above it (HTTP, mail), which is no
part of the text. Pages that cannot be classified (INVALID, NO-TEXT, SHORT) are left out, and so are
those without a label.
A model is right about pages that are read as it learned them: with -ascii, or without.`

// learning is what the flags of train say.
type learning struct {
	labelled
	model           string
	method          string
	smoothing, cost float64
	selection       string
	features        int
	minDocuments    int
	most            int // pages of a label; 0: all
}

func setupTrain(fs *flag.FlagSet) stage.Body {
	var l learning
	l.declare(fs, "leave out the pages of fold `I/N`, by a hash of their names: for eval")
	fs.StringVar(&l.model, "model", "", "write the model to `FILE`")
	fs.StringVar(&l.method, "method", "bayes", "learn by this `METHOD`: bayes, lewis, rocchio, complement or linear")
	fs.Float64Var(&l.smoothing, "smoothing", 0,
		"of bayes and complement: the `LAMBDA` of terms that were not seen; 0: 1 for bayes, 0.1 for complement")
	fs.Float64Var(&l.cost, "cost", 0, "of linear: the `COST` of an error; 0: 1")
	fs.StringVar(&l.selection, "select", "chi2", "choose terms by `HOW`: df, ig or chi2")
	fs.IntVar(&l.features, "features", 0, "keep the `N` best terms; 0: all")
	fs.IntVar(&l.most, "most", 0,
		"learn from at most `N` pages of each label, drawn by a hash of their names; 0: all; the thesis has 500")
	fs.IntVar(&l.minDocuments, "min-documents", 2, "leave out terms that fewer than `N` pages have")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		return l.train(ctx, env)
	}
}

func (l *learning) train(ctx context.Context, env *stage.Env) error {
	if l.model == "" {
		return stage.Usagef("-model must be given: the file to write")
	}
	o, err := l.options()
	if err != nil {
		return err
	}
	if err := env.Ready(); err != nil {
		return err
	}
	var training classify.Training
	drawn := lots{}
	err = l.each(ctx, env, func(p *source.Page, j *judge.Judge) error {
		drawn.add(p)
		return training.Add(p.Label, j.Terms())
	})
	if err != nil {
		return err
	}
	if l.most > 0 {
		training.Keep(drawn.first(l.most))
	}
	model, err := classify.Train(&training, o)
	if err != nil {
		return err
	}
	if err := writeModel(l.model, model); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%s: %s, %d labels, %d terms, learned from %d pages\n",
		shown(l.model), model.Method(), len(model.Labels()), model.Terms(), training.Len())
	return l.printLeftOut(env.Stdout)
}

// options checks the flags and gives what they ask for.
func (l *learning) options() (o classify.Options, err error) {
	o = classify.Options{Terms: l.features, MinDocuments: l.minDocuments}
	if err = l.check(); err != nil {
		return o, err
	}
	if o.Method, err = classify.MethodNamed(l.method); err == nil {
		o.Select, err = classify.SelectionNamed(l.selection)
	}
	if err != nil {
		return o, stage.Usagef("%w", err)
	}
	if l.features < 0 || l.minDocuments < 1 || l.most < 0 ||
		!(l.smoothing >= 0 && l.smoothing <= 1000) || !(l.cost >= 0 && l.cost <= 1e6) {
		return o, stage.Usagef("-features, -most, -smoothing (up to 1000) and -cost (up to 1e6) must be 0 or more, " +
			"-min-documents 1 or more")
	}
	o.Method, err = l.tuned(o.Method)
	return o, err
}

// tuned gives the method with the parameters that were given.
func (l *learning) tuned(m classify.Method) (classify.Method, error) {
	smooth, costs := l.smoothing > 0, l.cost > 0
	switch t := m.(type) {
	case classify.NaiveBayes:
		if smooth {
			t.Smoothing, smooth = l.smoothing, false
		}
		m = t
	case classify.Complement:
		if smooth {
			t.Smoothing, smooth = l.smoothing, false
		}
		m = t
	case classify.Linear:
		if costs {
			t.Cost, costs = l.cost, false
		}
		m = t
	}
	if smooth || costs {
		return nil, stage.Usagef("-smoothing is for bayes and complement, -cost for linear")
	}
	return m, nil
}

// writeModel writes a model so that there is the old file or the new one at any instant, also after
// a power cut.
func writeModel(path string, m *classify.Model) error {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := renameio.WriteFile(path, b, 0o666, renameio.WithTempDir(dir)); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	folder, err := os.Open(dir) // renameio syncs the file and not its directory
	if err != nil {
		return fmt.Errorf("write model %s: %w", path, err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("write model %s: %w", path, err)
	}
	return nil
}
