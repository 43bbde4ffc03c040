package main

import (
	"fmt"
	"net/url"
	"strings"

	"multitext/classify"
	"multitext/examples/rigs/internal/web"
)

// A field is a web where hunts go on: crawls that look for the pages of a topic.
type field struct {
	name    string
	batch   int   // pages that are fetched before their links are known
	batches []int // that are tried, too
	sites   bool  // it has several, so that there can be hubs
	hunts   []*hunt
}

// file is the name in the names of files.
func (f *field) file() string { return strings.NewReplacer(" ", "-", ",", "").Replace(f.name) }

// readFields reads the fields, once.
func (l *lab) readFields() error {
	if l.fields != nil {
		return nil
	}
	law, err := l.readLaw()
	if err != nil {
		return err
	}
	kb, err := l.readWebKB()
	if err != nil {
		return err
	}
	l.fields = append(law, kb)
	return nil
}

// options are those of all guides.
func (l *lab) options() classify.Options { return classify.Options{MinDocuments: l.MinDocuments} }

// newHunt is a hunt for the pages of a topic, which are those with its label, in a draw.
func (l *lab) newHunt(draw int, w *web.Web, g *guide, good string, seeds []uint32) (*hunt, error) {
	topic, ok := g.tree.Find(good)
	if !ok {
		return nil, fmt.Errorf("the guide knows no topic %q", good)
	}
	r, within := g.relevance(topic), g.within(topic)
	return l.hunting(draw, w, labelled(w, good), r, within, seeds), nil
}

// words appends the path of a URL, of letters, digits and hyphens, so that it is the same in every form of a
// URL.
func words(line []byte, page string) []byte {
	u, err := url.Parse(page)
	if err != nil {
		return line
	}
	for i, part := range strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' }) {
		if i > 0 {
			line = append(line, '/')
		}
		for _, r := range part {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				line = append(line, byte(r))
			} else {
				line = append(line, '-')
			}
		}
	}
	return line
}
