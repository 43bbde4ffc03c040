package terms

import "bytes"

// pieces calls do with every piece of text that a page shows, in its order, until do returns false; escaped says that
// entities stand for characters in it. A piece ends at any tag, and at a '<' that opens none.
func pieces(page []byte, do func(text []byte, escaped bool) bool) {
	for len(page) > 0 {
		end := upTo(page, '<')
		if end > 0 && !do(page[:end], true) {
			return
		}
		page = page[end:]
		name, rest := markup(page)
		page = rest
		if len(name) == 0 {
			continue
		}
		switch e := elementOf(name); e {
		case markedUp:
		case plain:
			do(page, false)
			return
		default:
			end := e.end(page, name)
			if e != hidden && e != script && end > 0 && !do(page[:end], e == escapable) {
				return
			}
			page = page[end:]
		}
	}
}

// markup passes what begins with the '<' at the start of p: a tag, a comment, or the sign alone. It returns the name
// of a start tag, and what is behind.
func markup(p []byte) (name, rest []byte) {
	switch {
	case len(p) < 2:
		return nil, nil
	case lower[p[1]] != 0:
		end := endOfName(p)
		return p[1:end], p[endOfTag(p, end):]
	case p[1] == '/' && len(p) > 2 && lower[p[2]] != 0:
		return nil, p[endOfTag(p, endOfName(p[1:])+1):]
	case bytes.HasPrefix(p, []byte("<!--")):
		return nil, p[endOfComment(p):]
	case p[1] == '/' || p[1] == '!' || p[1] == '?':
		return nil, p[min(upTo(p, '>')+1, len(p)):]
	}
	return nil, p[1:]
}

// upTo is the place of the first c in p, or its length.
func upTo(p []byte, c byte) int {
	if i := bytes.IndexByte(p, c); i >= 0 {
		return i
	}
	return len(p)
}

// endOfComment is the place behind the comment at the start of p. <!--> and <!---> are whole ones, and --!> ends one, too.
func endOfComment(p []byte) int {
	const open = len("<!--")
	dashes := 0
	for i := open; i < len(p); i++ {
		if p[i] == '-' {
			dashes++
			continue
		}
		switch {
		case p[i] == '>' && (dashes >= 2 || dashes == i-open):
			return i + 1
		case p[i] == '!' && dashes >= 2 && i+1 < len(p) && p[i+1] == '>':
			return i + 2
		}
		dashes = 0
		i += upTo(p[i:], '-') - 1
	}
	return len(p)
}
