package webgraph

import (
	"bytes"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
)

// FuzzVerify has any bytes for an entry: they are whole, or an error, and links that are whole are
// packed to the same bytes but for numbers that are longer than they need be.
func FuzzVerify(f *testing.F) {
	f.Add(uint64(ofWhole), uint64(0), (&whole{3, 2, 1}).pack())
	f.Add(uint64(ofNumber), uint64(9), []byte{5})
	f.Add(uint64(ofURLs), uint64(1), packURLs([]byte("http://a.test/\nhttp://b.test/\n")))
	f.Add(uint64(ofLinks), uint64(7), packLinks(nil, []uint32{0, 1, 300}))
	f.Add(uint64(ofRanks), uint64(inColumn), []byte{0, 0, 128, 63})
	f.Add(uint64(ofWorth), uint64(7), judgement{0.5, 3}.pack())
	f.Add(uint64(ofAsked), uint64(7), asking{1000, 2}.pack())
	f.Fuzz(func(t *testing.T, kind, of uint64, value []byte) {
		if Verify(keyOf(kind, of), value) != nil || kind != ofLinks {
			return
		}
		links, err := unpackLinks(value, nil)
		if back := packLinks(nil, links); err != nil || len(back) > len(value) {
			t.Errorf("%x is %v, %v, and packed %x", value, links, err, back)
		}
	})
}

// FuzzTake takes in whatever a batch holds: each URL is a page, and those of links are URLs.
func FuzzTake(f *testing.F) {
	f.Add([]byte("http://a.test/\tvia=http://b.test/%2541\nhttp://a.test/\tvia=%00\nx\tvia=y\tvia=z\nhttp://a.test/\tworth=0.5\tdepth=-1\tvia=http://c.test/\nhttp://a.test/\tvia=#://b.test/\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := &urlbatch.Buffer{}
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			if rec, err := urlbatch.Parse(line); err == nil {
				b.Add(rec)
			}
		}
		c := &crawl{TB: t, dir: t.TempDir()}
		c.run(func(s *State) {
			if err := s.Take(b); err != nil {
				t.Fatal(err)
			}
			if err := s.settle(); err != nil {
				t.Fatal(err)
			}
			pages := uint64(0)
			if err := s.Each(func(url []byte, _ float32, _ bool) error {
				if _, err := urlbatch.Parse(url); err != nil {
					t.Errorf("page %d: %q: %v", pages, url, err)
				}
				pages++
				return nil
			}); err != nil || pages != s.Pages() {
				t.Errorf("%d pages of %d; %v", pages, s.Pages(), err)
			}
		})
	})
}
