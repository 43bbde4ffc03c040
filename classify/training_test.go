package classify

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// bag makes a document of the words of text.
func bag(text string) *Document {
	d := new(Document)
	for word := range strings.FieldsSeq(text) {
		d.Add([]byte(word))
	}
	return d
}

// add puts the words of text into tr.
func add(t testing.TB, tr *Training, label, text string) {
	t.Helper()
	if err := tr.Add(label, bag(text)); err != nil {
		t.Fatal(err)
	}
}

// A corpus has its labels, terms and documents in order, whatever came first.
func TestCorpusIsSorted(t *testing.T) {
	var tr Training
	add(t, &tr, "b", "z y z")
	add(t, &tr, "a", "y x")
	add(t, &tr, "a", "x")
	c := tr.corpus()
	if !slices.Equal(c.labels, []string{"a", "b"}) || !slices.Equal(c.terms, []string{"x", "y", "z"}) {
		t.Errorf("labels %q, terms %q", c.labels, c.terms)
	}
	want := []example{{0, []cell{{0, 1}}}, {0, []cell{{0, 1}, {1, 1}}}, {1, []cell{{1, 1}, {2, 2}}}}
	if !slices.EqualFunc(c.docs, want, func(a, b example) bool {
		return a.label == b.label && slices.Equal(a.terms, b.terms)
	}) {
		t.Errorf("documents %v, want %v", c.docs, want)
	}
	if tr.Len() != 3 {
		t.Errorf("%d documents", tr.Len())
	}
}

func TestTrainingRefusesLabels(t *testing.T) {
	var tr Training
	for _, label := range []string{"", strings.Repeat("x", maxLabel+1)} {
		if err := tr.Add(label, bag("x")); err == nil {
			t.Errorf("a label of %d bytes is taken", len(label))
		}
	}
	for i := range maxLabels {
		add(t, &tr, strings.Repeat("a", i%200+1)+string(rune('A'+i/200)), "x")
	}
	if err := tr.Add("one more", bag("x")); err == nil {
		t.Error("a label too many is taken")
	}
}

// Documents with other labels yield the model that they yield if they are added with those, without
// the terms of documents that are dropped.
func TestRelabelled(t *testing.T) {
	var all, want Training
	for _, d := range [][3]string{{"x", "b", "one two"}, {"gone", "", "three two"}, {"y", "a", "four one"},
		{"z", "b", "two two five"}} {
		add(t, &all, d[0], d[2])
		if d[1] != "" {
			add(t, &want, d[1], d[2])
		}
	}
	got := all.Relabelled(func(label string) string {
		return map[string]string{"x": "b", "y": "a", "z": "b"}[label]
	})
	if !bytes.Equal(encode(t, train(t, got, Linear{1})), encode(t, train(t, &want, Linear{1}))) {
		t.Error("the model is another one")
	}
	if labels := all.Labels(); !slices.Equal(labels, []string{"gone", "x", "y", "z"}) || got.Len() != 3 {
		t.Errorf("all has the labels %q; %d documents are left", labels, got.Len())
	}
	all.Keep(func(doc int) bool { return doc != 1 })
	if labels := all.Labels(); !slices.Equal(labels, []string{"x", "y", "z"}) {
		t.Errorf("labels without documents: %q", labels)
	}
}
