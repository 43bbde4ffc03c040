package terms

import "bytes"

// element is how the content of an element is read, up to its end tag.
type element int

const (
	markedUp  element = iota // tags and text: nearly all
	escapable                // text with entities, and no tags
	raw                      // text alone
	hidden                   // raw, and not shown
	script                   // hidden, and with an end of its own kind
	plain                    // raw, to the end of the page
)

func elementOf(name []byte) element {
	if len(name) < len("xmp") || len(name) > len("plaintext") {
		return markedUp
	}
	var low [len("plaintext")]byte
	for i, c := range name {
		low[i] = lower[c]
	}
	switch string(low[:len(name)]) {
	case "title", "textarea":
		return escapable
	case "xmp":
		return raw
	case "style", "noscript", "iframe", "noembed", "noframes":
		return hidden
	case "script":
		return script
	case "plaintext":
		return plain
	}
	return markedUp
}

// end is the place of the end tag of the element called name, whose content p begins with.
func (e element) end(p, name []byte) int {
	if e == script {
		return endOfScript(p)
	}
	for i := 0; ; i++ {
		next := bytes.Index(p[i:], []byte("</"))
		if next < 0 {
			return len(p)
		}
		if i += next; isTag(p[i+len("</"):], name) {
			return i
		}
	}
}

// isTag tells whether p begins with the name of a tag, whole.
func isTag(p, name []byte) bool {
	return len(p) > len(name) && bytes.EqualFold(p[:len(name)], name) && endsName[p[len(name)]]
}

// opensTag tells whether the '<' at the start of p is that of a tag.
func opensTag(p []byte) bool { return len(p) > 1 && (p[1] == '/' || lower[p[1]] != 0) }

// endOfScript is the place of the end tag of a script. Scripts were once hidden in comments, and wrote scripts: within
// <!-- … --> a <script> opens another, whose </script> does not end the first.
func endOfScript(p []byte) int {
	name := []byte("script")
	const data, comment, inner = 0, 1, 2
	state := data
	for i := 0; i < len(p); {
		if state == data {
			if i += upTo(p[i:], '<'); i == len(p) {
				break
			}
		}
		rest := p[i:]
		endTag := bytes.HasPrefix(rest, []byte("</")) && isTag(rest[len("</"):], name)
		switch {
		case endTag && state != inner:
			return i
		case endTag:
			state = comment
			i += len("</script>")
		case state == data && bytes.HasPrefix(rest, []byte("<!--")):
			state = comment
			i += len("<!") // <!--> is a comment, too
		case state != data && bytes.HasPrefix(rest, []byte("-->")):
			state = data
			i += len("-->")
		case state == comment && rest[0] == '<' && isTag(rest[1:], name):
			state = inner
			i += len("<script>")
		case state == comment && rest[0] == '<' && !opensTag(rest):
			state = data // so has the tokenizer of x/net/html it; by the standard the comment goes on
			i++
		default:
			i++
		}
	}
	return len(p)
}
