package main

import (
	"context"
	"encoding"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"multitext/classify"
	"multitext/classify/topics"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// trainVerb returns the verb that makes models.
func trainVerb() stage.Verb {
	return stage.Verb{Name: "train", Tool: stage.Tool{
		Name:  "classify train",
		Short: "makes a model from labelled pages",
		Args:  "[FOLDER|PAGES ...]",
		Long: `Reads labelled pages and writes a model to -model. It replaces an existing file.

` + labelledHelp + `

With -tree FILE or -nested the model is one of a tree of topics (go doc ./classify/topics),
with a classifier of -method at each topic that has topics below it. -features and
-min-documents hold for each of these. Each line of -tree FILE is a topic, a tab and the topic
above it; the labels are topics of that tree. With -nested the tree is that of the folders.
Pages that fit no leaf may be of an inner topic: they teach the classifiers above it. A leaf
needs a page. Name a topic for what is not wanted, too, because a classifier always chooses.

Methods: bayes (naive Bayes, as in the thesis), lewis, rocchio, complement, linear. -select
says how the -features best terms are chosen: df (document frequency), ig (information gain)
or chi2. Lewis' method needs a few thousand terms; the other methods work with all. The same
pages produce the same file, byte for byte.

Memory: 8 bytes for each different term of each page, plus the model, which has at most 256 MiB.`,
		Example: `classify train -model topics.model bbc
classify train -fold 1/2 -method linear -model half.model bbc && classify eval -fold 1/2 -model half.model bbc
classify train -nested -model topics.tree pages && classify route -tree topics.tree example.html
classify train -index pages.tsv -features 5000 -method lewis -model lewis.model`,
	}, Setup: setupTrain}
}

// labelledHelp describes what train and eval read.
const labelledHelp = `An argument is a folder with a subfolder for each label, or a page batch (WARC). The answers
in a page batch carry label=, or their labels are in the list -labels. -index lists single
files and their labels. Files are HTML or text. They may begin with a header (HTTP, mail),
which does not belong to the text. Pages without a label, and pages that cannot be classified
(INVALID, NO-TEXT, SHORT), are left out. It is an error if no page has a label of -labels: see
whether its URLs are those of the batch, to the letter. A model works for pages that are read as
in training: use -ascii for both or for neither.`

// learning holds the flags of train.
type learning struct {
	labelled
	model           string
	tree            string // file of a tree of topics
	method          string
	smoothing, cost float64
	selection       string
	features        int
	minDocuments    int
	most            int // maximum number of pages of a label; 0: all
}

func setupTrain(fs *flag.FlagSet) stage.Body {
	var l learning
	l.declare(fs, "leave out the pages of fold `I/N` (by a hash of their names), for eval")
	fs.StringVar(&l.model, "model", "", "write the model to `FILE`")
	fs.StringVar(&l.tree, "tree", "",
		"make a model of the tree of topics in the lines \"TOPIC tab TOPIC-ABOVE\" of `FILE`")
	fs.StringVar(&l.method, "method", "bayes", "learn by this `METHOD`: bayes, lewis, rocchio, complement or linear")
	fs.Float64Var(&l.smoothing, "smoothing", 0,
		"for bayes and complement: `LAMBDA` of unseen terms; 0: 1 for bayes, 0.1 for complement")
	fs.Float64Var(&l.cost, "cost", 0, "for linear: `COST` of an error; 0: 1")
	fs.StringVar(&l.selection, "select", "chi2", "choose terms by `HOW`: df, ig or chi2")
	fs.IntVar(&l.features, "features", 0, "keep only the `N` best terms; 0: all")
	fs.IntVar(&l.most, "most", 0,
		"learn from at most `N` pages of each label, drawn by a hash of their names; 0: all; the thesis uses 500")
	fs.IntVar(&l.minDocuments, "min-documents", 2, "leave out terms that occur in fewer than `N` pages")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		return l.train(ctx, env)
	}
}

func (l *learning) train(ctx context.Context, env *stage.Env) error {
	if l.model == "" {
		return stage.Usagef("-model is required: the file to write")
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
	if err := l.make(env.Stdout, &training, o); err != nil {
		return err
	}
	return l.printLeftOut(env.Stdout)
}

// make makes the model, writes it, and says what it is.
func (l *learning) make(w io.Writer, training *classify.Training, o classify.Options) error {
	tree, err := l.topics(training)
	if err != nil {
		return err
	}
	if tree != nil {
		m, err := topics.Train(training, tree, o)
		if err != nil {
			return err
		}
		models, terms := m.Models()
		if models == 0 {
			return errors.New("train: no topic has two topics below it, so there is nothing to choose from: add pages " +
				"of another topic, such as pages that are not wanted")
		}
		if err := writeModel(l.model, m); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s: %s, %d topics, %d classifiers, %d terms, learned from %d pages\n",
			classify.Plain(l.model), o.Method.Name(), tree.Len()-1, models, terms, training.Len())
		return err
	}
	m, err := classify.Train(training, o)
	if err != nil {
		return err
	}
	if err := writeModel(l.model, m); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s, %d labels, %d terms, learned from %d pages\n",
		classify.Plain(l.model), m.Method(), len(m.Labels()), m.Terms(), training.Len())
	return err
}

// topics returns the tree of topics that the flags describe, or nil.
func (l *learning) topics(training *classify.Training) (*topics.Tree, error) {
	switch {
	case l.tree != "" && l.nested:
		return nil, stage.Usagef("-tree and -nested both describe a tree of topics: give one of them")
	case l.tree != "":
		return readTree(l.tree)
	case l.nested:
		return topics.Nested(training.Labels())
	}
	return nil, nil
}

// options checks the flags and returns the options that they describe.
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

// tuned returns the method with the parameters from the flags.
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

// writeModel writes a model atomically: at any instant, even after a power cut, path is the
// complete old file or the complete new one.
func writeModel(path string, m encoding.BinaryAppender) error {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := renameio.WriteFile(path, b, 0o666, renameio.WithTempDir(dir)); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	folder, err := os.Open(dir) // renameio syncs the file but not its directory
	if err != nil {
		return fmt.Errorf("write model %s: %w", path, err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("write model %s: %w", path, err)
	}
	return nil
}
