package html

import "iter"

// Shown gives each piece of text that a browser with scripts shows of a page, in order, as it stands on the page.
// Entities stand for characters in it where escaped is true. A piece ends at any tag and comment.
func (l *Lexer) Shown(page []byte) iter.Seq2[[]byte, bool] {
	return func(yield func(text []byte, escaped bool) bool) {
		l.Open(page, Texts|Scripting)
		defer l.Open(nil, 0) // the page is not kept
		hidden := false
		for {
			switch l.Next() {
			case PageEnd:
				return
			case StartTag:
				hidden = isHidden(l.Name())
			case EndTag:
				hidden = false
			case TextToken:
				if !hidden && !yield(l.Text()) {
					return
				}
			}
		}
	}
}

// isHidden tells whether the text in an element of that name is not shown.
func isHidden(name []byte) bool {
	switch string(name) {
	case "script", "style", "noscript", "iframe", "noembed", "noframes":
		return true
	}
	return false
}
