package main

import (
	"multitext/classify"
	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/nodes"
)

// A place is where a page goes, and why.
type place struct {
	node  *nodes.Node // nil: the file of -unsure
	kind  string      // under which it is counted
	label string      // of a page that was classified, else ""
	sure  float64     // of a topic; 0 where the label is not one
}

// An assigner decides by what a page says to whom it belongs: partitions by topic and by language. It is for one
// goroutine.
type assigner struct {
	by    string
	set   *nodes.Set
	me    *nodes.Node
	judge *judge.Judge

	languages     bool        // some node owns a language, or the foreign ones
	noText, short *nodes.Node // for pages of these kinds
	unsure        *nodes.Node // for topics less sure than least; nil: a file of their own
	least         float64
}

// place assigns a page.
func (s *assigner) place(p judge.Page) place {
	switch s.judge.Read(p) {
	case terms.Empty, terms.Invalid:
		return place{node: s.me, kind: "invalid"}
	case terms.NoText:
		return place{node: s.noText, kind: "no-text"}
	case terms.Short:
		return place{node: s.short, kind: "short"}
	}
	if s.by == byLanguage {
		return s.byLanguage(s.judge.Language().Language)
	}
	if s.languages {
		if l := s.judge.Language().Language; l != judge.English {
			if to := s.byLanguage(l); to.node != nil {
				return to
			}
		}
	}
	return s.byTopic()
}

// byLanguage gives a page to who owns its language; the node is nil where nobody does.
func (s *assigner) byLanguage(code string) place {
	node, ok := s.set.ByLanguage(code)
	if !ok {
		return place{}
	}
	label := nodes.Foreign
	if _, own := s.set.ByLabel(code); own {
		label = code
	}
	return place{node: node, kind: kindOf(label), label: label}
}

// byTopic gives a page to who owns its topic.
func (s *assigner) byTopic() place {
	label, sure := s.judge.Topic()
	p := place{kind: kindOf(label), label: label, sure: sure}
	if sure < s.least {
		p.node, p.kind = s.unsure, "unsure"
		return p
	}
	p.node, _ = s.set.ByLabel(label) // somebody owns each label of the model: that was checked
	return p
}

// maxKind bounds the name of a counter.
const maxKind = 80

// kindOf is the counter of the pages under a label: what a counter's name cannot hold is a '-' in it.
func kindOf(label string) string {
	name := []byte("label-" + label)
	name = name[:min(len(name), maxKind)]
	for i, c := range name {
		switch {
		case 'A' <= c && c <= 'Z':
			name[i] = c - 'A' + 'a'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		default:
			name[i] = '-'
		}
	}
	return string(name)
}

// ownsLanguage tells whether some node owns a language: the foreign ones, or one by its code.
func ownsLanguage(set *nodes.Set, model *classify.Model) (any, named bool) {
	topics := map[string]bool{}
	if model != nil {
		for _, label := range model.Labels() {
			topics[label] = true
		}
	}
	for _, n := range set.All() {
		for _, label := range n.Labels {
			if label == nodes.Foreign {
				any = true
			} else if len(label) == 2 && !topics[label] {
				any, named = true, true
			}
		}
	}
	return any, named
}
