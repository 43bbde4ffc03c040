package main

import (
	"testing"

	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// TestHosted: pages keep their links, and those of one host have one number.
func TestHosted(t *testing.T) {
	w := hosted(&web.Web{Pages: []web.Page{{Host: "a.test", Links: []int{1, 2}}, {Host: "b.test"}, {Host: "a.test",
		Links: []int{1}}}})
	if w.Host[0] != w.Host[2] || w.Host[0] == w.Host[1] || len(w.Links[0]) != 2 || w.Links[2][0] != 1 {
		t.Errorf("hosts %v, links %v", w.Host, w.Links)
	}
}

// TestMeasure: a web of a million pages is grown in the same way as a small one; what it is not fitted
// to is told beside what it is.
func TestMeasure(t *testing.T) {
	l := quick(t)
	l.Synthetic.Pages = 20_000
	p, err := synthetic.ReadParameters()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range l.Synthetic.Models {
		w, err := l.grow(&p, name)
		if err != nil {
			t.Fatal(err)
		}
		m := measure(&p, w, l.random("checks"))
		if row := m.row(name, "", ""); len(row) != len(modelTable(&p).Columns) || m.pages != 20_000 || m.hosts < 20 {
			t.Errorf("%s: %q", name, row)
		}
	}
}
