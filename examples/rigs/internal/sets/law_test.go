package sets

import (
	"flag"
	"strings"
	"testing"
)

var whole = flag.Bool("sets", false, "read the largest of the labelled sets, too")

func TestLaw16(t *testing.T) {
	if !*whole {
		t.Skip("run with -sets")
	}
	l, err := Law16(data)
	skipWithout(t, err)
	sections := 0
	for i := range l.Samples {
		if Section(l.Samples[i].Name) {
			sections++
		}
	}
	same := 0
	for i := range l.Cited.Pages {
		for _, to := range l.Cited.Pages[i].Links {
			if l.Cited.Pages[to].Label == l.Cited.Pages[i].Label {
				same++
			}
		}
	}
	t.Logf("%d sections of %d pages, %d citations (%d within a title), %d links", sections, len(l.Samples),
		l.Cited.Links(), same, l.Web.Links())
	if sections != 16282 || len(l.Cited.Labels()) != 16 || l.Cited.Links() < 25000 {
		t.Errorf("%d sections, %d titles, %d citations", sections, len(l.Cited.Labels()), l.Cited.Links())
	}
	if strings.Contains(string(l.Samples[0].Body), "ancestors") ||
		!strings.Contains(string(l.Whole[0].Body), "ancestors") {
		t.Error("the way to the page belongs to the whole of it, not to its main part")
	}
}

func TestTitles(t *testing.T) {
	for url, want := range map[string]string{
		lawSite + "/us/dc/council/code/sections/29A-101":           "29A",
		lawSite + "/us/dc/council/code/sections/28:9-102":          "28",
		lawSite + "/us/dc/council/code/titles/1/chapters/3":        "1",
		lawSite + "/us/dc/council/code/titles/47":                  "47",
		lawSite + "/us/dc/council/code/sections/no-such-thing-not": "no",
		lawSite + "/about": "",
	} {
		if got := lawTitle(url); got != want {
			t.Errorf("%s has title %q, want %q", url, got, want)
		}
	}
}

func TestMainPart(t *testing.T) {
	if got := string(mainOf([]byte("<nav>a</nav><main id=x>b</main><p>c"))); got != "<main id=x>b" {
		t.Errorf("the main part is %q", got)
	}
	if got := string(mainOf([]byte("<p>c"))); got != "<p>c" {
		t.Errorf("of a page without a main part there is %q", got)
	}
}
