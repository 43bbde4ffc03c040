package maintext

// An effect is what a tag means for the text.
type effect uint8

const (
	breaks    effect = iota // begins another block, as most tags do
	inline                  // stands within a line
	lines                   // begins another line of the block
	links                   // its text leads elsewhere
	heads                   // begins a block that names what follows
	preserves               // keeps its blanks and line ends
	hides                   // has no text to read
	beside                  // stands beside the main text: menus and the like
	header                  // the same, but within a text it belongs to it
	contains                // stands where its class says
	main                    // has the main text
	article                 // has a text
	titles
	describes
)

// effectOf returns the effect of the tags with this name.
func effectOf(name []byte) effect {
	switch string(name) {
	case "a":
		return links
	case "span", "b", "i", "em", "strong", "code", "small", "sup", "sub", "font", "u", "s", "tt", "kbd", "samp", "var",
		"abbr", "acronym", "cite", "q", "mark", "time", "del", "ins", "dfn", "big", "strike", "label", "data", "wbr",
		"bdi", "bdo", "img", "ruby", "rt", "rp", "rb", "nobr", "output", "picture", "source":
		return inline
	case "br":
		return lines
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return heads
	case "pre", "listing", "xmp":
		return preserves
	case "script", "style", "noscript", "iframe", "noembed", "noframes", "textarea", "select", "button", "datalist",
		"dialog", "object", "canvas", "audio", "video":
		return hides
	case "nav", "aside", "footer", "menu", "figcaption":
		return beside
	case "header":
		return header
	case "div", "section", "ul", "ol", "dl", "table", "form", "fieldset", "details":
		return contains
	case "main":
		return main
	case "article":
		return article
	case "title":
		return titles
	case "meta":
		return describes
	}
	return breaks
}
