package topics

import (
	"flag"
	"path"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/classify/testkit"
)

var whole = flag.Bool("sets", false, "evaluate on all of 20 Newsgroups, by all methods, not on a part")

// newsgroups calls do with the bodies of 20 Newsgroups, for headers hold the label: one of parts
// messages, half of them for training.
func newsgroups(t testing.TB, parts uint64, do func(label string, learn bool, d *classify.Document)) {
	var d classify.Document
	testkit.Files(t, "20news", func(name string, content []byte) bool {
		split := strings.Split(name, "/")
		sum := xxhash.Sum64String(path.Base(name))
		if len(split) >= 3 && sum/2%parts == 0 {
			_, body, _ := strings.Cut(string(content), "\n\n")
			d.Read(new(terms.Splitter).HTML([]byte(body)))
			do(split[1], sum%2 == 1, &d)
		}
		return true
	})
}

// TestNewsgroups: the groups comp.*, rec.*, sci.*, talk.* are a tree, by name. The tree is about as
// often right about held-out messages as one model of all groups, and its confidence is as near to
// the truth at each depth.
func TestNewsgroups(t *testing.T) {
	parts := uint64(5)
	methods := []classify.Method{classify.NaiveBayes{Smoothing: 0.1}}
	if *whole {
		parts, methods = 1, append(classify.Methods(), methods...)
	}
	var learn classify.Training
	type message struct {
		label string
		d     classify.Document
	}
	var held []*message
	parents := map[string]string{}
	newsgroups(t, parts, func(label string, teaches bool, d *classify.Document) {
		for name := label; name != ""; {
			parent := name[:max(strings.LastIndexByte(name, '.'), 0)]
			parents[name], name = parent, parent
		}
		if !teaches {
			m := &message{label: label}
			for i := range d.Len() {
				term, n := d.Term(i)
				for range n {
					m.d.Add(term)
				}
			}
			held = append(held, m)
		} else if err := learn.Add(label, d); err != nil {
			t.Fatal(err)
		}
	})
	tree, err := New(parents)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range methods {
		o := classify.Options{Method: method, MinDocuments: 2, Terms: 20_000}
		flat, err := classify.Train(&learn, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Train(&learn, tree, o)
		if err != nil {
			t.Fatal(err)
		}
		var r classify.Ranking
		var whole classify.Confusion
		e := m.Evaluate()
		for _, x := range held {
			flat.Classify(&x.d, &r)
			whole.Add(x.label, &r)
			if err := e.Add(x.label, &x.d); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		if err := e.Print(&b); err != nil {
			t.Fatal(err)
		}
		one, all := whole.Summary(), e.Leaves().Summary()
		t.Logf("%v: one model of all groups: %.1f %%, off by %.1f %%, Brier %.3f\n%s", method, 100*one.Overall,
			100*one.Error, one.Brier, b.String())
		if method == methods[0] && (all.Overall < one.Overall-0.05 || all.Error > 0.1 || all.Overall < 0.5) {
			t.Errorf("the tree is right in %.1f %%, one model in %.1f %%; its confidence is off by %.1f %%",
				100*all.Overall, 100*one.Overall, 100*all.Error)
		}
	}
}
