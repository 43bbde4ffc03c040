package links

import (
	"bytes"

	"multitext/classify/html"
)

// MaxAnchor is the maximum size of a link's text, in bytes.
const MaxAnchor = 256

// maxText is the number of raw bytes of a text that are read for it. This is enough even if every
// character is an entity; the longest entity has 33 bytes.
const maxText = 4 * MaxAnchor * 33

// openAnchor begins an A. As in a browser, a nested A ends the outer one.
func (s *scanner) openAnchor() {
	s.closeAnchor()
	href, kind := s.lexer.Attr(html.Href), A
	if href == nil {
		href, kind = s.lexer.Attr(html.XlinkHref), Other
	}
	if s.add(kind, href, s.nofollow()) && s.opt.Anchors {
		s.anchor = len(s.refs) - 1
	}
}

func (s *scanner) closeAnchor() {
	if s.anchor >= 0 {
		s.setAnchor(s.anchor, s.text)
	}
	s.anchor, s.text = -1, s.text[:0]
}

// anchorText adds the current text token to the open A.
func (s *scanner) anchorText() {
	if s.anchor >= 0 && len(s.text) < 4*MaxAnchor {
		text := s.lexer.DecodedText(maxText)
		s.text = append(s.text, text[:min(len(text), 4*MaxAnchor)]...)
	}
}

// imageText adds the ALT of an image to the text of the open A.
func (s *scanner) imageText() {
	if s.anchor >= 0 && len(s.text) < 4*MaxAnchor {
		alt := s.lexer.Attr(html.Alt)
		s.text = append(append(append(s.text, ' '), alt[:min(len(alt), 4*MaxAnchor)]...), ' ')
	}
}

// setAnchor sets the text of the ref at i.
func (s *scanner) setAnchor(i int, text []byte) {
	if !s.opt.Anchors || i < 0 || text == nil {
		return
	}
	words := bytes.Join(bytes.Fields(text), []byte(" "))
	words = words[:min(len(words), MaxAnchor)]
	s.refs[i].anchor = string(bytes.ToValidUTF8(words, nil)) // drops a letter that was cut in two
}
