package links

import (
	"bytes"
	"strings"

	"multitext/classify/html"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/directives"
)

// scanner collects the references and directives on a page.
type scanner struct {
	opt   Options
	lexer html.Lexer

	refs      []ref
	raws      []byte // text of the refs, one after another
	base      []byte
	forbidden bool
	over      int

	anchor int // index in refs of the open A, or -1
	text   []byte
}

// A ref is a link as written on the page.
type ref struct {
	kind     Kind
	nofollow bool
	from, to int // its decoded text is raws[from:to]
	anchor   string
}

// reset prepares the scanner for another page. It keeps its memory.
func (s *scanner) reset() {
	s.refs, s.raws, s.base = s.refs[:0], reusable(s.raws), nil
	s.forbidden, s.over = false, 0
	s.anchor, s.text = -1, s.text[:0]
}

// html scans the tokens of a page.
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
			s.lexer.Open(nil, 0) // drops the reference to the page
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

// other adds the SRC and HREF of elements that have no other link attributes.
func (s *scanner) other() {
	s.add(sourceKind(s.lexer.Name()), s.lexer.Attr(html.Src), false)
	s.add(Other, s.lexer.Attr(html.Href), false)
}

// sourceKind returns the kind of the SRC of an element.
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

// add keeps a reference if its kind is wanted. raw is nil if the attribute is absent.
func (s *scanner) add(k Kind, raw []byte, nofollow bool) bool {
	if raw == nil || !s.opt.Kinds.Has(k) {
		return false
	}
	if len(s.refs) >= s.opt.Max {
		s.over++
		return false
	}
	from := len(s.raws)
	// canon would refuse longer references anyway, so data: URLs need not be kept.
	s.raws = append(s.raws, raw[:min(len(raw), canon.MaxLength+1)]...)
	s.refs = append(s.refs, ref{kind: k, from: from, to: len(s.raws), nofollow: nofollow})
	return true
}

// nofollow reports whether REL forbids following the link of the tag.
func (s *scanner) nofollow() bool { return hasToken(s.lexer.Attr(html.Rel), "nofollow") }

// link adds the HREF of a LINK, with the kind that its REL implies.
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
	directives.InMeta(s.lexer.Attr(html.Name), s.lexer.Attr(html.Content), s.agents(), s.forbids)
}

// agents returns the names of this crawler.
func (s *scanner) agents() []string {
	if s.opt.Agent == "" {
		return nil
	}
	return []string{s.opt.Agent}
}

// hasToken reports whether word, in lower case, is one of the words of attr.
func hasToken(attr []byte, word string) bool {
	for field := range bytes.FieldsSeq(attr) {
		if bytes.EqualFold(field, []byte(word)) {
			return true
		}
	}
	return false
}
