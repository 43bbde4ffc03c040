package sets

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// data holds the labelled sets; they are no part of the repository.
const data = "../../../../../shared/data"

func skipWithout(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("without the labelled sets: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWebKB(t *testing.T) {
	s, err := WebKB(data, false)
	skipWithout(t, err)
	same, cross := 0, 0
	for i := range s.Web.Pages {
		for _, to := range s.Web.Pages[i].Links {
			if s.Web.Pages[to].Host == s.Web.Pages[i].Host {
				same++
			} else {
				cross++
			}
		}
	}
	t.Logf("%d pages, %d links within a host, %d across", len(s.Samples), same, cross)
	if len(s.Samples) != 2899 || same < 1000 {
		t.Errorf("%d pages with %d links", len(s.Samples), same)
	}
	if got := s.Folds(); !slices.Equal(got, []string{"cornell", "texas", "washington"}) {
		t.Errorf("the folds are %q", got)
	}
}

func TestBBCHasNoTextTwice(t *testing.T) {
	s, err := BBC(data)
	skipWithout(t, err)
	met := make(map[string]bool)
	for _, sample := range s.Samples {
		_, text, _ := strings.Cut(string(sample.Body), "\n")
		if met[text] {
			t.Fatalf("%s is a copy", sample.Name)
		}
		met[text] = true
	}
	if len(met) != 2089 || !slices.Equal(s.Folds(), []string{Test}) {
		t.Errorf("%d texts in folds %q", len(met), s.Folds())
	}
}

// TestSites: the pages of the 41 sites, and links between them. Pages that only send a browser on have none.
func TestSites(t *testing.T) {
	w, err := Sites(data)
	skipWithout(t, err)
	hosts, linked := map[string]bool{}, 0
	for i := range w.Pages {
		hosts[w.Pages[i].Host] = true
		if len(w.Pages[i].Links) > 0 {
			linked++
		}
	}
	if len(hosts) != 41 || len(w.Pages) != 12_058 || linked < 7_000 || w.Links() < 100_000 {
		t.Errorf("%d sites, %d pages, %d of them with links, %d links", len(hosts), len(w.Pages), linked, w.Links())
	}
}
