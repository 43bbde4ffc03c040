package html

import (
	"multitext/classify/internal/ascii"
)

// start reads a start tag whose name begins at i.
func (l *Lexer) start(i int) Token {
	l.tag.has, l.foreign, l.hidden = 0, false, false
	l.readName(i)
	if !l.attributes() {
		return none
	}
	if l.raw = l.special(); l.raw || len(l.inside) > 0 {
		l.enter()
		l.hidden = (l.raw || l.foreign) && isHidden(l.Name())
	}
	switch {
	case l.mode&Texts != 0, l.tag.has != 0:
		return StartTag
	case l.raw && l.rawText():
		return TextToken
	}
	return none
}

// end reads an end tag whose name begins at i. It may have attributes, which are ignored.
func (l *Lexer) end(i int) Token {
	l.foreign, l.hidden = false, false
	if l.mode&Texts == 0 && len(l.inside) == 0 && l.passEnd(i) {
		return none
	}
	l.readName(i)
	if !l.attributes() {
		return none
	}
	if len(l.inside) > 0 {
		l.leave()
	}
	if l.mode&Texts == 0 {
		return none
	}
	return EndTag
}

// passEnd skips an end tag whose name begins at i, if it has the usual form: short and without "=".
// Without "=" it has no quotes that might contain a ">".
func (l *Lexer) passEnd(i int) (ok bool) {
	if len(l.page)-i < ascii.Size {
		return false
	}
	w := ascii.At(l.page, i)
	end := w.Equal('>').First()
	if end >= w.Equal('=').First() {
		return false
	}
	l.at = i + end + 1
	return true
}

// readName reads the name of an element, which begins at i.
func (l *Lexer) readName(i int) {
	p := l.page
	n := 0
	for ; i < len(p) && class[p[i]]&endsName == 0; i++ {
		if n < maxName {
			l.name[n] = ascii.Lower(p[i])
		}
		n++
	}
	if l.size, l.attrs = n, i; n > maxName {
		l.size = 0
	}
}

// attributes reads the rest of a tag and keeps the attributes that matter. It records whether the
// tag ends with "/>". It returns false if the page ends within the tag.
func (l *Lexer) attributes() bool {
	valued := -1 // the end of the last attribute with a value: a "/" there is part of the value
	p, i := l.page, l.attrs
	for {
		if i = skipBlank(p, i); i == len(p) {
			l.at = len(p)
			return false
		}
		if p[i] == '>' {
			l.closed = p[i-1] == '/' && i != valued
			l.at = i + 1
			return true
		}
		name, value, after, ok := quoted(p, i)
		if !ok {
			name, value, after = attributeAt(p, i)
		}
		switch {
		case l.mode&Classes != 0:
			l.tag.keepClass(name, value)
		case l.mode&Shown == 0:
			l.tag.keep(name, value)
		}
		if i = after; len(value) > 0 {
			valued = after
		}
	}
}

// attributeAt reads the attribute at i, and returns the position after it. It returns the end of
// the page if the page ends within the attribute.
func attributeAt(p []byte, i int) (name, value []byte, after int) {
	start := i
	if p[i] == '=' { // a name may begin with "="
		i++
	}
	for i < len(p) && class[p[i]]&endsKey == 0 {
		i++
	}
	value, after = attributeValue(p, i)
	return p[start:i], value, after
}

// quoted does the same as attributeAt for attributes in the usual form: name="value", with a short
// name of letters. ok is false for any other form.
func quoted(p []byte, i int) (name, value []byte, after int, ok bool) {
	if len(p)-i < ascii.Size+len(`="`) {
		return nil, nil, 0, false
	}
	n := ascii.At(p, i).Letters()
	start := i + n + len(`="`)
	quote := p[start-1]
	if n == 0 || p[start-2] != '=' || quote != '"' && quote != '\'' {
		return nil, nil, 0, false
	}
	end := index(p, start, quote)
	return p[i : i+n], p[start:end], min(end+1, len(p)), true
}

// attributeValue reads "= value", which may follow the name of an attribute, or the "/" at the end
// of a tag. It returns the position after it.
func attributeValue(p []byte, i int) (value []byte, after int) {
	if i = skipBlank(p, i); i == len(p) {
		return nil, i
	}
	switch p[i] {
	case '/':
		return nil, i + 1
	case '=':
	default:
		return nil, i
	}
	if i = skipBlank(p, i+1); i == len(p) {
		return nil, i
	}
	if q := p[i]; q == '"' || q == '\'' {
		end := index(p, i+1, q)
		return p[i+1 : end], min(end+1, len(p))
	}
	start := i
	for i < len(p) && class[p[i]]&endsValue == 0 {
		i++
	}
	return p[start:i], i
}
