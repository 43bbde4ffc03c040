package links

import (
	"bytes"
	"strings"

	"multitext/classify/html"
	"multitext/stages/internal/web/canon"
)

// scanner gathers what stands on a page.
type scanner struct {
	opt   Options
	lexer html.Lexer

	refs      []ref
	raws      []byte // of the refs, one behind the other
	base      []byte
	forbidden bool
	over      int

	anchor int // the place in refs of the A that is open, or -1
	text   []byte
}

// A ref is a link as it stands on the page.
type ref struct {
	kind     Kind
	nofollow bool
	from, to int // decoded, where in raws
	anchor   string
}

// reset makes the scanner ready for another page. What memory it has it keeps.
func (s *scanner) reset() {
	s.refs, s.raws, s.base = s.refs[:0], reusable(s.raws), nil
	s.forbidden, s.over = false, 0
	s.anchor, s.text = -1, s.text[:0]
}

// html goes through the tokens of a page.
func (s *scanner) html(page []byte, xml bool) {
	mode := html.Mode(0)
	if xml {
		mode |= html.XML
	}
	if s.opt.Anchors {
		mode |= html.Texts
	}
	s.lexer.Open(page, mode)
	for {
		switch s.lexer.Next() {
		case html.PageEnd:
			s.closeAnchor()
			s.lexer.Open(nil, 0) // the page is not kept until the next one is there
			return
		case html.TextToken:
			s.anchorText()
		case html.StartTag:
			s.startTag()
		case html.EndTag:
			if string(s.lexer.Name()) == "a" {
				s.closeAnchor()
			}
		}
	}
}

func (s *scanner) startTag() {
	switch string(s.lexer.Name()) {
	case "a":
		s.openAnchor()
	case "area":
		if s.add(Area, s.lexer.Attr(html.Href), s.nofollow()) {
			s.setAnchor(len(s.refs)-1, s.lexer.Attr(html.Alt))
		}
	case "base":
		href := s.lexer.Attr(html.Href)
		if s.base == nil && !s.lexer.InTemplate() && !s.lexer.Foreign() {
			s.base = bytes.Clone(href)
		}
		s.add(Base, href, false)
	case "link":
		s.link()
	case "meta":
		s.meta()
	case "img":
		s.add(Img, s.lexer.Attr(html.Src), false)
		s.srcset(s.lexer.Attr(html.Srcset))
		s.imageText()
	case "object":
		s.add(Embed, s.lexer.Attr(html.Data), false)
	case "video", "audio", "source", "track":
		s.add(Media, s.lexer.Attr(html.Src), false)
		s.srcset(s.lexer.Attr(html.Srcset))
		s.add(Img, s.lexer.Attr(html.Poster), false)
	case "noscript", "noframes", "noembed":
	default:
		s.other()
	}
}

// other takes the SRC and HREF of the elements that have nothing else.
func (s *scanner) other() {
	s.add(sourceKind(s.lexer.Name()), s.lexer.Attr(html.Src), false)
	s.add(Other, s.lexer.Attr(html.Href), false)
}

// sourceKind is the kind of SRC of these elements.
func sourceKind(name []byte) Kind {
	switch string(name) {
	case "frame":
		return Frame
	case "iframe":
		return Iframe
	case "script":
		return Script
	case "input":
		return Input
	case "embed":
		return Embed
	}
	return Other
}

// add keeps a reference of a wanted kind; raw is nil where the attribute is absent.
func (s *scanner) add(k Kind, raw []byte, nofollow bool) bool {
	if raw == nil || !s.opt.Kinds.Has(k) {
		return false
	}
	if len(s.refs) >= s.opt.Max {
		s.over++
		return false
	}
	from := len(s.raws)
	// Longer ones are refused by canon all the same; data: URLs need not be kept to be refused.
	s.raws = append(s.raws, raw[:min(len(raw), canon.MaxLength+1)]...)
	s.refs = append(s.refs, ref{kind: k, from: from, to: len(s.raws), nofollow: nofollow})
	return true
}

// nofollow tells whether REL forbids to follow the link of the tag.
func (s *scanner) nofollow() bool { return hasToken(s.lexer.Attr(html.Rel), "nofollow") }

// link takes the HREF of a LINK by what its REL says it is.
func (s *scanner) link() {
	kind, nofollow := Rel, false
	for rel := range bytes.FieldsSeq(s.lexer.Attr(html.Rel)) {
		switch strings.ToLower(string(rel)) {
		case "dns-prefetch", "preconnect":
			return
		case "stylesheet", "icon", "mask-icon", "apple-touch-icon", "apple-touch-icon-precomposed", "manifest",
			"preload", "modulepreload":
			kind = Resource
		case "nofollow":
			nofollow = true
		}
	}
	s.add(kind, s.lexer.Attr(html.Href), nofollow)
}

func (s *scanner) meta() {
	if bytes.EqualFold(s.lexer.Attr(html.HTTPEquiv), []byte("refresh")) {
		if url, ok := refreshURL(string(s.lexer.Attr(html.Content))); ok {
			s.add(Refresh, []byte(url), false)
		}
	}
	if s.forRobots(s.lexer.Attr(html.Name)) && forbids(string(s.lexer.Attr(html.Content))) {
		s.forbidden = true
	}
}

// forRobots tells whether a META of that name speaks to this crawler.
func (s *scanner) forRobots(name []byte) bool {
	name = bytes.TrimSpace(name)
	return len(name) > 0 && (bytes.EqualFold(name, []byte("robots")) || bytes.EqualFold(name, []byte(s.opt.Agent)))
}

// hasToken tells whether word, in lower case, is one of the words of attr.
func hasToken(attr []byte, word string) bool {
	for field := range bytes.FieldsSeq(attr) {
		if bytes.EqualFold(field, []byte(word)) {
			return true
		}
	}
	return false
}
