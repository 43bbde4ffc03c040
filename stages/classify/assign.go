package main

import (
	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/near"
)

// A place says where a page goes, and why.
type place struct {
	node  *nodes.Node // nil: the file in -unsure
	kind  string      // the counter for the page
	label string      // label of a classified page, else ""
	sure  float64     // confidence in a topic; 0 if the label is not a topic
}

// partition returns the function that assigns answers.
func (o *options) partition(set *nodes.Set, me *nodes.Node) (func(*warc.Answer) (place, error), error) {
	switch o.by {
	case byNone:
		kind := "not-judged"
		if o.tree != "" {
			kind = "" // the focus tells what the pages are
		}
		return func(*warc.Answer) (place, error) { return place{node: me, kind: kind}, nil }, nil
	case byContent:
		return byHash{set.Fetching(), me}.place, nil
	case byText:
		return byLikeness{byHash{set.Fetching(), me}, near.NewSketcher(), int64(o.maxPage)}.place, nil
	case byTopic, byLanguage:
		s, err := o.assigner(set, me)
		if err != nil {
			return nil, err
		}
		return func(a *warc.Answer) (place, error) {
			p, err := judge.FromAnswer(a, int64(o.maxPage))
			if err != nil {
				return place{}, err
			}
			return s.place(p), nil
		}, nil
	}
	return nil, stage.Usagef("-by %.40q: want %s, %s, %s, %s or %s", o.by,
		byTopic, byLanguage, byContent, byNone, byText)
}

// An assigner decides by the content of a page which node owns it: the partitions by topic and by
// language. It is not safe for concurrent use.
type assigner struct {
	by    string
	set   *nodes.Set
	me    *nodes.Node
	judge *judge.Judge

	languages     bool        // some node owns a language or the label foreign
	noText, short *nodes.Node // nodes for pages of these kinds
	unsure        *nodes.Node // node for topics less sure than least; nil: the file in -unsure
	least         float64
}

// place assigns a page.
func (s *assigner) place(p judge.Page) place {
	if p.Elsewhere {
		return place{node: s.me, kind: "not-judged"}
	}
	switch s.judge.Read(p) {
	case terms.Empty, terms.Invalid:
		return place{node: s.me, kind: "invalid"}
	case terms.NoText:
		return place{node: s.noText, kind: "no-text"}
	case terms.Short:
		return place{node: s.short, kind: "short"}
	}
	if s.by == byLanguage {
		return s.ofLanguage(s.judge.Language().Language)
	}
	if s.languages {
		if l := s.judge.Language().Language; l != judge.English {
			if to := s.ofLanguage(l); to.node != nil {
				return to
			}
		}
	}
	return s.ofTopic()
}

// ofLanguage assigns a page to the owner of its language. The node is nil if the language has no
// owner.
func (s *assigner) ofLanguage(code string) place {
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

// ofTopic assigns a page to the owner of its topic.
func (s *assigner) ofTopic() place {
	label, sure := s.judge.Topic()
	p := place{kind: kindOf(label), label: label, sure: sure}
	if sure < s.least {
		p.node, p.kind = s.unsure, "unsure"
		return p
	}
	p.node, _ = s.set.ByLabel(label) // load has checked that each label of the model has an owner
	return p
}

// maxKind is the maximum length of a counter's name.
const maxKind = 80

// kindOf returns the counter for pages with a label. Characters that a counter's name cannot
// contain become '-'.
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
