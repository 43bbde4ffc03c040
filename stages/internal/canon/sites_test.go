package canon

import (
	"archive/tar"
	"errors"
	"flag"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// realSites is pages of real sites, beside the repository where there are any: one folder a host.
const realSites = "../../../../shared/data/web.tar.zst"

var sitePages = flag.Int("sites", 150, "resolve the links on so many pages of real sites; 0: of all")

// TestPlainOnRealSites holds the short way to the parser for the links of real pages, as they are and with a
// byte changed, and holds that nearly all take it.
func TestPlainOnRealSites(t *testing.T) {
	f, err := os.Open(realSites)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no pages of real sites at " + realSites)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	m := mutator{rand.New(rand.NewPCG(5, 6))}
	href := regexp.MustCompile(`(?i)(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
	links, taken, changed := 0, 0, 0
	pages := 0
	for files := tar.NewReader(z); pages < *sitePages || *sitePages == 0; pages++ {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		base, err := NewBase("http://" + strings.TrimPrefix(h.Name, "./"))
		if err != nil {
			continue
		}
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
	}
	t.Logf("%d links on %d pages: %d take the short way, of those with a byte changed %d", links, pages, taken, changed)
	if links < pages || taken < links*9/10 || changed < links/10 {
		t.Errorf("of %d links %d take the short way, of those with a byte changed %d", links, taken, changed)
	}
}

// A mutator changes references.
type mutator struct{ random *rand.Rand }

// change puts something that URLs are made of in place of a byte of ref, or in front of it.
func (m mutator) change(ref string) string {
	pieces := []string{"/", "//", ".", "..", "/../", "/./", "?", "#", "%", "%2e", "%2F", "%41", ":", "@", "\\", " ", "\t", "\n", "\x00", "A", "-", "_", "^", "'", "\"", "\u00e9", "\xe9", "x", "0", ":80", "xn--"}
	piece := pieces[m.random.IntN(len(pieces))]
	at := m.random.IntN(len(ref) + 1)
	return ref[:at] + piece + ref[min(len(ref), at+m.random.IntN(2)):]
}
