package html

// OpenShown makes the lexer ready for another page, of which NextShown gives the text.
func (l *Lexer) OpenShown(page []byte) { l.Open(page, Texts|shown) }

// NextShown gives the next piece of text that a browser shows which runs scripts, frames and
// plug-ins, as it stands on the page. Entities stand for characters in it where escaped is true. A
// piece ends at any tag and comment.
func (l *Lexer) NextShown() (text []byte, escaped, ok bool) {
	for {
		switch l.Next() {
		case PageEnd:
			return nil, false, false
		case StartTag:
			l.hidden = (l.raw != "" || l.foreign) && isHidden(l.Name())
		case EndTag:
			l.hidden = false
		case TextToken:
			if !l.hidden {
				text, escaped = l.Text()
				return text, escaped, true
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
