package links

// An attribute is one of those that matter here.
type attribute uint8

const (
	attrHref attribute = iota
	attrSrc
	attrSrcset
	attrData
	attrPoster
	attrXlink
	attrRel
	attrAlt
	attrName
	attrEquiv
	attrContent
	attributes // their number
)

// lengths has a bit for each length of their names: most attributes are others, and told by that.
const lengths = 1<<len("src") | 1<<len("href") | 1<<len("srcset") | 1<<len("content") | 1<<len("http-equiv")

// A tag is the attributes of a start tag that matter here, as they stand on the page. Of two equal ones the first
// holds, as in a browser.
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
func (t *tag) get(a attribute) []byte {
	if t.has>>a&1 == 0 || len(t.values[a]) == 0 {
		return nil
	}
	return t.values[a]
}

// attributeOf gives the attribute of that name, in lower case.
func attributeOf(key []byte) (a attribute, ok bool) {
	switch string(key) {
	case "href":
		return attrHref, true
	case "src":
		return attrSrc, true
	case "srcset":
		return attrSrcset, true
	case "data":
		return attrData, true
	case "poster":
		return attrPoster, true
	case "xlink:href":
		return attrXlink, true
	case "rel":
		return attrRel, true
	case "alt":
		return attrAlt, true
	case "name":
		return attrName, true
	case "http-equiv":
		return attrEquiv, true
	case "content":
		return attrContent, true
	}
	return 0, false
}
