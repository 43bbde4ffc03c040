package links

import (
	"bytes"

	"multitext/classify/html"
)

// MaxAnchor bounds the text that is kept of a link, in bytes.
const MaxAnchor = 256

// maxText bounds what is read for it of a text, as it stands on the page: were all of it entities,
// of which the longest has 33 bytes, it would do.
const maxText = 4 * MaxAnchor * 33

// openAnchor begins an A. One inside another ends it, as in a browser.
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

// anchorText adds the text that was read to the A that is open.
func (s *scanner) anchorText() {
	if s.anchor >= 0 && len(s.text) < 4*MaxAnchor {
		text := s.lexer.DecodedText(maxText)
		s.text = append(s.text, text[:min(len(text), 4*MaxAnchor)]...)
	}
}

// imageText lets the ALT of an image stand for it inside an A.
func (s *scanner) imageText() {
	if s.anchor >= 0 && len(s.text) < 4*MaxAnchor {
		alt := s.lexer.Attr(html.Alt)
		s.text = append(append(append(s.text, ' '), alt[:min(len(alt), 4*MaxAnchor)]...), ' ')
	}
}

// setAnchor gives the ref at i its text.
func (s *scanner) setAnchor(i int, text []byte) {
	if !s.opt.Anchors || i < 0 || text == nil {
		return
	}
	words := bytes.Join(bytes.Fields(text), []byte(" "))
	words = words[:min(len(words), MaxAnchor)]
	s.refs[i].anchor = string(bytes.ToValidUTF8(words, nil)) // a letter cut in two goes too
}
