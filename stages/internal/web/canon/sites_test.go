package canon

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"testing"

	"multitext/classify/testkit"
)

var sitePages = flag.Int("sites", 150, "resolve the links on so many pages of real sites; 0: of all")

// TestPlainOnRealSites holds the short way to the parser for the links of real pages, as they are
// and with a byte changed, and holds that nearly all take it.
func TestPlainOnRealSites(t *testing.T) {
	m := mutator{rand.New(rand.NewPCG(5, 6))}
	href := regexp.MustCompile(`(?i)(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
	links, taken, changed := 0, 0, 0
	pages := 0
	testkit.Pages(t, 1, func(name string, page []byte) bool {
		base, err := NewBase("http://" + name)
		if err != nil {
			return true
		}
		pages++
		for _, groups := range href.FindAllStringSubmatch(string(page), 200) {
			ref := groups[1] + groups[2] + groups[3]
			if foreignScheme(ref) {
				continue
			}
			links++
			if holdPlain(t, base, ref) {
				taken++
			}
			if holdPlain(t, base, m.change(ref)) {
				changed++
			}
			holdPlain(t, base, "https://example.org/"+ref)
		}
		return pages != *sitePages
	})
	t.Logf("%d links on %d pages: %d take the short way, of those with a byte changed %d", links, pages, taken, changed)
	if links < pages || taken < links*9/10 || changed < links/10 {
		t.Errorf("of %d links %d take the short way, of those with a byte changed %d", links, taken, changed)
	}
}

// A mutator changes references.
type mutator struct{ random *rand.Rand }

// change puts something that URLs are made of in place of a byte of ref, or in front of it.
func (m mutator) change(ref string) string {
	pieces := []string{"/", "//", ".", "..", "/../", "/./", "?", "#", "%", "%2e", "%2F", "%41", ":", "@", "\\", " ",
		"\t", "\n", "\x00", "A", "-", "_", "^", "'", "\"", "\u00e9", "\xe9", "x", "0", ":80", "xn--"}
	piece := pieces[m.random.IntN(len(pieces))]
	at := m.random.IntN(len(ref) + 1)
	return ref[:at] + piece + ref[min(len(ref), at+m.random.IntN(2)):]
}
