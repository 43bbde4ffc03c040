package html

import "encoding/binary"

// start reads a start tag whose name is at i.
func (l *Lexer) start(i int) Token {
	l.tag.has, l.foreign = 0, false
	name := l.readName(i)
	if l.at = l.attributes(name); l.at < 0 {
		l.at = len(l.page)
		return PageEnd
	}
	if l.raw = l.special(); l.raw != "" || len(l.inside) > 0 {
		l.enter(name)
	}
	return StartTag
}

// finish reads an end tag whose name is at i. It may have attributes, which mean nothing.
func (l *Lexer) finish(i int) Token {
	if l.at = l.attributes(l.readName(i)); l.at < 0 {
		l.at = len(l.page)
		return PageEnd
	}
	if len(l.inside) > 0 {
		l.leave()
	}
	return EndTag
}

// passEnd passes over an end tag whose name is at i, if it is as nearly all are: short and without
// "=", and so without quotes that might hide a ">".
func (l *Lexer) passEnd(i int) (ok bool) {
	if len(l.page)-i < wordSize {
		return false
	}
	w := wordAt(l.page, i)
	end := w.equal('>').first()
	if end >= w.equal('=').first() {
		return false
	}
	l.at = i + end + 1
	return true
}

// readName reads the name of an element, which is at i.
func (l *Lexer) readName(i int) (behind int) {
	p := l.page
	if len(p)-i >= wordSize {
		w := wordAt(p, i)
		if n := w.letters(); n < wordSize && class[p[i+n]]&endsName != 0 {
			binary.LittleEndian.PutUint64(l.name[:], uint64(w.lower()))
			l.size = n
			return i + n
		}
	}
	n := 0
	for ; i < len(p) && class[p[i]]&endsName == 0; i++ {
		if n < maxName {
			l.name[n] = lowerCase(p[i])
		}
		n++
	}
	if l.size = n; n > maxName {
		l.size = 0
	}
	return i
}

// attributes reads the attributes of a tag, the first of which may be at i, keeps those that
// matter, and gives the place behind the tag, or -1 where the page ends within. It notes whether
// the tag ends with "/>".
func (l *Lexer) attributes(i int) (behind int) {
	valued := -1 // where the last attribute with a value ended: a "/" there belongs to the value
	for p := l.page; ; {
		if i = skipBlank(p, i); i == len(p) {
			return -1
		}
		if p[i] == '>' {
			l.closed = p[i-1] == '/' && i != valued
			return i + 1
		}
		name, value, behind, ok := quoted(p, i)
		if !ok {
			name, value, behind = attributeAt(p, i)
		}
		if behind < 0 {
			return -1
		}
		if l.mode&shown == 0 {
			l.tag.keep(name, value)
		}
		if i = behind; len(value) > 0 {
			valued = behind
		}
	}
}

// quoted is attributeAt for those that are written as nearly all are: name="value", with a short
// name of letters. ok is false for any other.
func quoted(p []byte, i int) (name, value []byte, behind int, ok bool) {
	if len(p)-i < wordSize+len(`="`) {
		return nil, nil, 0, false
	}
	n := wordAt(p, i).letters()
	start := i + n + len(`="`)
	quote := p[start-1]
	if n == 0 || p[start-2] != '=' || quote != '"' && quote != '\'' {
		return nil, nil, 0, false
	}
	end := index(p, start, quote)
	if end == len(p) {
		return nil, nil, -1, true
	}
	return p[i : i+n], p[start:end], end + 1, true
}

// attributeAt reads the attribute at i, and gives the place behind it, or -1 where the page ends
// within.
func attributeAt(p []byte, i int) (name, value []byte, behind int) {
	start := i
	if p[i] == '=' { // which may begin a name
		i++
	}
	for i < len(p) && class[p[i]]&endsKey == 0 {
		i++
	}
	value, behind = attributeValue(p, i)
	return p[start:i], value, behind
}

// attributeValue reads what may follow the name of an attribute, "= value" or the "/" at the end of
// a tag, and gives the place behind it, or -1 where the page ends within.
func attributeValue(p []byte, i int) (value []byte, behind int) {
	if i = skipBlank(p, i); i == len(p) {
		return nil, -1
	}
	switch p[i] {
	case '/':
		return nil, i + 1
	case '=':
	default:
		return nil, i
	}
	if i = skipBlank(p, i+1); i == len(p) {
		return nil, -1
	}
	switch q := p[i]; q {
	case '>':
		return nil, i
	case '"', '\'':
		end := index(p, i+1, q)
		if end == len(p) {
			return nil, -1
		}
		return p[i+1 : end], end + 1
	}
	start := i
	for i < len(p) && class[p[i]]&endsValue == 0 {
		i++
	}
	if i == len(p) {
		return nil, -1
	}
	return p[start:i], i
}
