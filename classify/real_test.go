package classify

import (
	"bytes"
	"flag"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/classify/terms"
	"multitext/classify/testkit"
)

var whole = flag.Bool("sets", false, "evaluate on all of the labelled sets, not on a part")

// A sample is a text of a labelled set. Those of one fold are trained on or judged together.
type sample struct {
	name, label, fold, text string
}

// unpack gives the files of a set, in order of name, as parts of the path and content. It skips the
// test where the set is absent.
func unpack(t testing.TB, set string) (all []sample) {
	testkit.Files(t, set, func(name string, content []byte) bool {
		if parts := strings.Split(name, "/"); len(parts) >= 3 {
			all = append(all, sample{name: name, label: parts[1], text: string(content)})
		}
		return true
	})
	slices.SortFunc(all, func(a, b sample) int { return strings.Compare(a.name, b.name) })
	return all
}

// halves gives each sample one of two folds, by its name.
func halves(all []sample) []sample {
	for i := range all {
		all[i].fold = "train"
		if xxhash.Sum64String(path.Base(all[i].name))%2 == 0 {
			all[i].fold = "test"
		}
	}
	return all
}

// newsgroups is the bodies of 20 Newsgroups: headers hold the label.
func newsgroups(t testing.TB) []sample {
	all := unpack(t, "20news")
	for i := range all {
		_, all[i].text, _ = strings.Cut(all[i].text, "\n\n")
	}
	return halves(all)
}

// bbc is BBC's news, each text once.
func bbc(t testing.TB) []sample {
	met := make(map[string]bool)
	return halves(slices.DeleteFunc(unpack(t, "bbc"), func(s sample) bool {
		again := met[s.text]
		met[s.text] = true
		return again
	}))
}

// webkb is pages of universities, which are the folds, of the given classes.
func webkb(t testing.TB, classes ...string) (all []sample) {
	for _, s := range unpack(t, "webkb") {
		if slices.Contains(classes, s.label) {
			s.fold = strings.Split(s.name, "/")[2]
			if _, body, ok := strings.Cut(strings.ReplaceAll(s.text, "\r\n", "\n"), "\n\n"); ok {
				s.text = body
			}
			all = append(all, s)
		}
	}
	return all
}

// law16 is sections of a code of laws, under their titles.
func law16(t testing.TB) (all []sample) {
	for _, s := range unpack(t, "law16") {
		name := path.Base(s.name)
		if end := strings.IndexAny(name, "-:"); end > 0 {
			s.label = name[:end]
			all = append(all, s)
		}
	}
	return halves(all)
}

// words makes a document of a text, or a page.
func words(d *Document, text string) *Document {
	d.Read(new(terms.Splitter).HTML([]byte(text)))
	return d
}

// judge trains on all folds but one and classifies that one; where it is "", each fold in turn.
func judge(t testing.TB, all []sample, fold string, o Options) *Confusion {
	folds := map[string]bool{fold: true}
	if fold == "" {
		delete(folds, "")
		for _, s := range all {
			folds[s.fold] = true
		}
	}
	var c Confusion
	var d Document
	var r Ranking
	for out := range folds {
		var tr Training
		for _, s := range all {
			if s.fold != out {
				if err := tr.Add(s.label, words(&d, s.text)); err != nil {
					t.Fatal(err)
				}
			}
		}
		model, err := Train(&tr, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.fold == out {
				model.Classify(words(&d, s.text), &r)
				c.Add(s.label, &r)
			}
		}
	}
	return &c
}

// Every method on every set, trained and judged on disjoint documents, over all terms that two
// documents have. The table is what -v prints.
func TestLabelledSets(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	four := []string{"course", "faculty", "project", "student"}
	seven := append([]string{"department", "other", "staff"}, four...)
	for _, set := range []struct {
		name  string
		load  func(testing.TB) []sample
		fold  string
		least float64 // mean accuracy of naive Bayes and of the linear method
		any   float64 // and of every other
		long  bool
	}{
		{"20news", newsgroups, "test", 0.7, 0.5, true},
		{"bbc", bbc, "test", 0.95, 0.9, false},
		{"webkb-4", func(t testing.TB) []sample { return webkb(t, four...) }, "", 0.68, 0.45, false},
		{"webkb-7", func(t testing.TB) []sample { return webkb(t, seven...) }, "", 0.2, 0.15, true},
	} {
		t.Run(set.name, func(t *testing.T) {
			if set.long && !*whole {
				t.Skip("run with -sets")
			}
			all := set.load(t)
			var b bytes.Buffer
			fmt.Fprintf(&b, "%-18s %6s %6s %9s %8s %8s %7s\n", "method", "all", "mean", "variance", "macro F1",
				"majority", "off by")
			for _, o := range options() {
				s := judge(t, all, set.fold, o).Summary()
				name := o.Method.Name()
				least := set.any
				if name == "bayes" || name == "linear" {
					least = set.least
				}
				if s.Mean < least {
					t.Errorf("%s has a mean accuracy of %.1f %%, not %.0f", name, 100*s.Mean, 100*least)
				}
				if o.Terms > 0 {
					name += fmt.Sprintf(", %d terms", o.Terms)
				}
				fmt.Fprintf(&b, "%-18s %5.1f%% %5.1f%% %9.2f %8.3f %7.1f%% %6.1f%%\n", name, 100*s.Overall, 100*s.Mean,
					s.Variance, s.MacroF1, 100*s.Majority, 100*s.Error)
			}
			t.Logf("%d documents\n%s", len(all), b.String())
		})
	}
}

// options are the methods over all terms, and Lewis' over chosen ones, too.
func options() (all []Options) {
	for _, m := range Methods() {
		all = append(all, Options{Method: m, MinDocuments: 2})
	}
	return append(all, Options{Method: Lewis{}, MinDocuments: 2, Terms: 3000})
}
