package links

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"multitext/stages/internal/canon"
)

// scanner gathers what stands on a page.
type scanner struct {
	opt       Options
	refs      []ref
	base      string
	hasBase   bool
	forbidden bool
	over      int

	anchor int // the place in refs of the A that is open, or -1
	text   []byte
}

func newScanner(opt Options) *scanner { return &scanner{opt: opt, anchor: -1} }

// html goes through the tokens of a page. It ends at the end of the page: the tokenizer knows no
// other error.
func (s *scanner) html(page []byte) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			s.closeAnchor()
			return
		case html.TextToken:
			s.anchorText(z)
		case html.StartTagToken, html.SelfClosingTagToken:
			s.startTag(z)
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				s.closeAnchor()
			}
		}
	}
}

// tag is the attributes of a start tag that matter here; nil where absent. As in a browser the
// first of two equal attributes holds.
type tag struct {
	href, src, srcset, data, poster, xlink []byte
	rel, alt, name, equiv, content         []byte
}

func attributes(z *html.Tokenizer, more bool) tag {
	var t tag
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if place := t.place(string(key)); place != nil && *place == nil {
			*place = value // not nil, though it may be empty
		}
	}
	return t
}

func (t *tag) place(key string) *[]byte {
	switch key {
	case "href":
		return &t.href
	case "src":
		return &t.src
	case "srcset":
		return &t.srcset
	case "data":
		return &t.data
	case "poster":
		return &t.poster
	case "xlink:href":
		return &t.xlink
	case "rel":
		return &t.rel
	case "alt":
		return &t.alt
	case "name":
		return &t.name
	case "http-equiv":
		return &t.equiv
	case "content":
		return &t.content
	}
	return nil
}

func (s *scanner) startTag(z *html.Tokenizer) {
	name, more := z.TagName()
	t := attributes(z, more)
	switch string(name) {
	case "a":
		s.openAnchor(t)
	case "area":
		if s.add(Area, t.href, hasToken(t.rel, "nofollow")) {
			s.setAnchor(len(s.refs)-1, t.alt)
		}
	case "base":
		if t.href != nil && !s.hasBase {
			s.base, s.hasBase = string(t.href), true
		}
		s.add(Base, t.href, false)
	case "link":
		s.link(t)
	case "meta":
		s.meta(t)
	case "img":
		s.add(Img, t.src, false)
		s.srcset(t.srcset)
		s.imageText(t.alt)
	case "object":
		s.add(Embed, t.data, false)
	case "video", "audio", "source", "track":
		s.add(Media, t.src, false)
		s.srcset(t.srcset)
		s.add(Img, t.poster, false)
	case "noscript", "noframes", "noembed":
		z.NextIsNotRawText()
	default:
		s.add(sourceKind(string(name)), t.src, false)
		s.add(Other, t.href, false)
	}
}

// sourceKind is the kind of SRC of the elements that have nothing else.
func sourceKind(name string) Kind {
	switch name {
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
	// Longer ones are refused by canon all the same; data: URLs need not be kept to be refused.
	s.refs = append(s.refs, ref{kind: k, raw: string(raw[:min(len(raw), canon.MaxLength+1)]), nofollow: nofollow})
	return true
}

// link takes the HREF of a LINK by what its REL says it is.
func (s *scanner) link(t tag) {
	kind := Rel
	for rel := range strings.FieldsSeq(strings.ToLower(string(t.rel))) {
		switch rel {
		case "dns-prefetch", "preconnect":
			return
		case "stylesheet", "icon", "mask-icon", "apple-touch-icon", "apple-touch-icon-precomposed", "manifest",
			"preload", "modulepreload":
			kind = Resource
		}
	}
	s.add(kind, t.href, hasToken(t.rel, "nofollow"))
}

func (s *scanner) meta(t tag) {
	if bytes.EqualFold(t.equiv, []byte("refresh")) {
		if url, ok := refreshURL(string(t.content)); ok {
			s.add(Refresh, []byte(url), false)
		}
	}
	name := strings.ToLower(string(bytes.TrimSpace(t.name)))
	if (name == "robots" || name == s.opt.Agent && name != "") && forbids(string(t.content)) {
		s.forbidden = true
	}
}

// hasToken tells whether word, in lower case, is one of the words of attr.
func hasToken(attr []byte, word string) bool {
	for field := range strings.FieldsSeq(string(attr)) {
		if strings.EqualFold(field, word) {
			return true
		}
	}
	return false
}
