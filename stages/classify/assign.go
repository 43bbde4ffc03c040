package main

import (
	"multitext/classify/terms"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/near"
)

// A place is where a page goes, and why.
type place struct {
	node  *nodes.Node // nil: the file of -unsure
	kind  string      // under which it is counted
	label string      // of a page that was classified, else ""
	sure  float64     // of a topic; 0 where the label is not one
}

// partition gives the function that assigns answers.
func (o *options) partition(set *nodes.Set, me *nodes.Node) (func(*warc.Answer) (place, error), error) {
	switch o.by {
	case byNone:
		return func(*warc.Answer) (place, error) { return place{node: me, kind: "not-judged"}, nil }, nil
	case byContent:
		return byHash{set, me}.place, nil
	case byText:
		return byLikeness{byHash{set, me}, near.NewSketcher(), int64(o.maxPage)}.place, nil
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
	return nil, stage.Usagef("-by %.40q is none of %s, %s, %s, %s, %s", o.by,
		byTopic, byLanguage, byContent, byNone, byText)
}

// An assigner decides by what a page says to whom it belongs: partitions by topic and by language.
// It is for one goroutine.
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

// ofLanguage gives a page to who owns its language; the node is nil where nobody does.
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

// ofTopic gives a page to who owns its topic.
func (s *assigner) ofTopic() place {
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

// kindOf is the counter of the pages under a label: what a counter's name cannot hold is a '-' in
// it.
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
