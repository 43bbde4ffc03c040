package html

// An Attribute is one of those that a [Lexer] keeps: they hold URLs, or tell what a tag is for. All
// others are passed over, which takes less time and bounds the memory for a tag.
type Attribute uint8

const (
	Href Attribute = iota
	Src
	Srcset
	Data
	Poster
	XlinkHref
	Rel
	Alt
	Name
	HTTPEquiv
	Content
	Charset
	attributes // their number
)

// lengths has a bit for each length of their names: most attributes are others, and told by that.
const lengths = 1<<len("src") | 1<<len("href") | 1<<len("srcset") | 1<<len("content") | 1<<len("http-equiv")

// A tag is the attributes of a start tag that are kept, as they stand on the page. Of two equal
// ones the first holds, as in a browser.
type tag struct {
	values [attributes][]byte
	has    uint16 // a bit for each of the values that are of this tag
}

// keep takes an attribute if it is one that matters.
func (t *tag) keep(name, value []byte) {
	if lengths>>len(name)&1 != 0 {
		t.put(name, value)
	}
}

func (t *tag) put(name, value []byte) {
	var buf [maxName]byte
	a, ok := attributeOf(lower(buf[:], name))
	if !ok || t.has>>a&1 != 0 {
		return
	}
	t.values[a] = value
	t.has |= 1 << a
}

// get gives a value, nil where the attribute is absent or empty.
func (t *tag) get(a Attribute) []byte {
	if t.has>>a&1 == 0 || len(t.values[a]) == 0 {
		return nil
	}
	return t.values[a]
}

// attributeOf gives the attribute of that name, in lower case.
func attributeOf(key []byte) (a Attribute, ok bool) {
	switch string(key) {
	case "href":
		return Href, true
	case "src":
		return Src, true
	case "srcset":
		return Srcset, true
	case "data":
		return Data, true
	case "poster":
		return Poster, true
	case "xlink:href":
		return XlinkHref, true
	case "rel":
		return Rel, true
	case "alt":
		return Alt, true
	case "name":
		return Name, true
	case "http-equiv":
		return HTTPEquiv, true
	case "content":
		return Content, true
	case "charset":
		return Charset, true
	}
	return 0, false
}
