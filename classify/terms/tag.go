package terms

// endOfName is the place behind the name of the tag whose first letter is p[1].
func endOfName(p []byte) int {
	i := 1
	for i < len(p) && !endsName[p[i]] {
		i++
	}
	return i
}

// endOfTag is the place behind the '>' that ends a tag; p[i] is the byte behind the tag's name. A '>' in a quoted value ends
// nothing; a quote does not open one unless it stands behind a '='.
func endOfTag(p []byte, i int) int {
	for i < len(p) {
		switch {
		case p[i] == '>':
			return i + 1
		case endsName[p[i]]:
			i++
			continue
		}
		i++ // the first byte of an attribute's name, which may be anything, even a '='
		for i < len(p) && p[i] != '=' && !endsName[p[i]] {
			i++
		}
		if i = skipSpace(p, i); i < len(p) && p[i] == '=' {
			i = endOfValue(p, skipSpace(p, i+1))
		}
	}
	return len(p)
}

// endOfValue is the place behind the attribute's value that begins at p[i].
func endOfValue(p []byte, i int) int {
	if i < len(p) && (p[i] == '"' || p[i] == '\'') {
		return min(i+1+upTo(p[i+1:], p[i])+1, len(p))
	}
	for i < len(p) && p[i] != '>' && !isSpace[p[i]] {
		i++
	}
	return i
}

func skipSpace(p []byte, i int) int {
	for i < len(p) && isSpace[p[i]] {
		i++
	}
	return i
}

// isSpace tells what parts the attributes of a tag, endsName what ends the name of a tag: tables, since most bytes of
// a page are asked for.
var (
	isSpace  = set(" \n\t\r\f")
	endsName = set(" \n\t\r\f>/")
)

func set(bytes string) (t [256]bool) {
	for _, c := range []byte(bytes) {
		t[c] = true
	}
	return
}
