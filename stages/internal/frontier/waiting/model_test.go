package waiting

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
)

// learns makes the crawl one whose order learns, as another run of the stage has it.
func (c *crawl) learns() *order.Order {
	c.t.Helper()
	by, err := order.New("learned", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.rules.Model = by.Model()
	return by
}

// TestModel: what is learned is there in the next run, through merges and spills and orders that
// learn nothing; what a run learned that did not commit is not.
func TestModel(t *testing.T) {
	c := newCrawl(t)
	c.most = 20_000
	law, sport := urlbatch.New("http://a.test/law/x"), urlbatch.New("http://a.test/sport/x")
	bands := func() (wanted, other uint8) {
		by := c.learns()
		c.run(func(*State) {})
		return order.Band(by, law), order.Band(by, sport)
	}
	for i := range 5 {
		c.learns()
		c.run(func(s *State) {
			for n := range 20 {
				for worth, name := range []string{"sport", "law"} {
					rec := urlbatch.New(fmt.Sprintf("http://h%d.test/%s/%d", n, name, i))
					rec.SetInt(urlbatch.Worth, int64(worth))
					if _, err := s.Judged(rec); err != nil {
						t.Fatal(err)
					}
				}
			}
			c.add(s, 0, urlsOf("a.test", 500)...)
			c.compose(s, Plan{Longest: time.Minute, Most: 100})
		})
		c.rules.Model = nil
		c.run(func(s *State) { c.add(s, 0, urlsOf("b.test", 500)...) })
		c.now = c.now.Add(time.Minute)
	}
	wanted, other := bands()
	if wanted > 26 || other < 36 {
		t.Errorf("bands %d and %d, after what was learned", wanted, other)
	}
	kept := t.TempDir()
	if err := os.CopyFS(kept, os.DirFS(c.Dir)); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(c.Paths)
	by := c.learns()
	c.run(func(s *State) { // a run that is rolled back
		for range 200 {
			rec := law.Clone()
			rec.Set(urlbatch.Worth, "0")
			if _, err := s.Judged(rec); err != nil {
				t.Fatal(err)
			}
		}
		if band := order.Band(by, law); band <= wanted {
			t.Errorf("band %d, and %d before", band, wanted)
		}
	})
	c.Dir, c.Paths = kept, before
	for i, path := range before {
		c.Paths[i] = filepath.Join(kept, filepath.Base(path))
	}
	if again, _ := bands(); again != wanted {
		t.Errorf("band %d behind the roll-back, want %d", again, wanted)
	}
}

// TestModelInOldState: a state without weights is one in which nothing was learned.
func TestModelInOldState(t *testing.T) {
	c := newCrawl(t)
	if err := os.CopyFS(c.Dir, os.DirFS("testdata/v1")); err != nil {
		t.Fatal(err)
	}
	c.Paths, c.Runs = []string{filepath.Join(c.Dir, "segment-2")}, 2
	by := c.learns()
	c.run(func(*State) {})
	if band := order.Band(by, urlbatch.New("http://a.test/")); band != 32 {
		t.Errorf("band %d, want that of even odds", band)
	}
}

// TestForeignWeights: weights that no program wrote are found.
func TestForeignWeights(t *testing.T) {
	if Verify(modelKey(3), []byte{1}) != nil || Verify(modelKey(3), []byte{1, 2}) == nil ||
		Verify(modelKey(512), []byte{1}) == nil {
		t.Error("a block of weights is not judged")
	}
}
