package advised

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"multitext/examples/rigs/internal/web"
)

// TestRun: a Web of four pages on one host, crawled from the seeds of two draws in two orders, to the end
// and with at most two pages.
//
//	0 ─► 1 2    1 ─► 3    2 ─► (nothing)    3 ─► 0
func TestRun(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "advise"),
		"multitext/stages/advise").CombinedOutput(); err != nil {
		t.Fatalf("build advise: %v\n%s", err, out)
	}
	w := &web.Web{Pages: []web.Page{{Host: "a.test", Links: []int{1, 2}}, {Host: "a.test", Links: []int{3}},
		{Host: "a.test"}, {Host: "a.test", Links: []int{0}}}}
	f, err := New(bin, Of(w), []float64{0.1, 0.2, 0.9, 0.3}, [][]uint32{{0}, nil, {1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, test := range []struct {
		trial Trial
		draws []int
		want  []string
	}{
		{Trial{Batch: 1}, []int{0, 2}, []string{"0 breadth [0 1 2 3]", "0 score [0 2 1 3]", "2 breadth [1 2 3 0]",
			"2 score [2 1 3 0]"}},
		{Trial{Batch: 1, Most: 2, Exact: true}, []int{2}, []string{"2 breadth [1 2]", "2 score [2 1]"}},
	} {
		var got []string
		note := func(draw int, order string, c *Crawl) {
			got = append(got, fmt.Sprint(draw, " ", order, " ", c.Pages))
		}
		err := f.Run(test.trial, []string{"breadth", "score"}, test.draws, note)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q, %v, want %q", test.trial, got, err, test.want)
		}
	}
	// Two crawlers, and what the second has of 1 2 3: the first sends it the links to 1 and 2 in one message.
	if err := errors.Join(f.Share("owners", []int{0, 1, 1, 0}), f.List("popular", []uint32{2})); err != nil {
		t.Fatal(err)
	}
	two := Trial{Batch: 1000, Crawlers: 2, Owners: "owners", Exchange: 2}
	drop, aside, alone, known, sums := two, two, two, two, two
	drop.Others, drop.Exchange, aside.Others, aside.Exchange, aside.Follow = "drop", 0, "aside", 0, 2
	alone.Owners, alone.By, known.Replicated, sums.Links = "", "none", "popular", "sum"
	for trial, want := range map[Trial]string{
		two:   "[0 1 2 3] [0 1 1 0] {3 3 3 0 2 0 0 0}",
		drop:  "[0] [0] {0 0 0 0 0 2 0 0}",
		aside: "[0 1 2 3] [0 0 0 0] {0 0 0 0 0 0 2 0}",
		alone: "[0 1 2 3] [0 0 0 0] {0 0 0 0 0 0 0 0}",
		sums:  "[0 1 2 3] [0 1 1 0] {3 3 3 3 2 0 0 0}",
		known: "[0 2 1 3] [0 1 1 0] {2 2 2 0 2 0 0 1}",
	} {
		err := f.Run(trial, []string{"breadth"}, []int{0}, func(_ int, _ string, c *Crawl) {
			if got := fmt.Sprint(c.Pages, c.By, c.Sent); got != want {
				t.Errorf("%+v: %s, want %s", trial, got, want)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
	// 1 is worth more than 0, so 3 comes before 2.
	if err := f.Judge("worths", []float64{0.5, 0.9, 0, 0}); err != nil {
		t.Fatal(err)
	}
	var judged []uint32
	err = f.Run(Trial{Batch: 1, Worths: "worths"}, []string{"score"}, []int{0},
		func(_ int, _ string, c *Crawl) { judged = slices.Clone(c.Pages) })
	if want := []uint32{0, 1, 3, 2}; err != nil || !slices.Equal(judged, want) {
		t.Errorf("with worths %d, %v, want %d", judged, err, want)
	}
	if err := f.Run(Trial{Batch: 1}, []string{"nothing"}, []int{0}, func(int, string, *Crawl) {}); err == nil {
		t.Error("an order that there is not was crawled")
	}
}

// TestWords: words of URLs do not hide which page it is.
func TestWords(t *testing.T) {
	w := &Web{Host: func(line []byte, _ uint32) []byte { return append(line, "a.test"...) }}
	plain := string(w.URL(nil, 12))
	w.Words = func(line []byte, _ uint32) []byte { return append(line, "law/16"...) }
	words := string(w.URL(nil, 12))
	for _, url := range []string{plain, words} {
		if page, err := PageOf(url); err != nil || page != 12 {
			t.Errorf("%s is page %d, %v", url, page, err)
		}
	}
	if plain != "http://a.test/12.html" || words != "http://a.test/law/16?12.html" {
		t.Errorf("URLs %s and %s", plain, words)
	}
}

// TestEachCrawl: what advise prints is parted into crawls, and each is of a draw.
func TestEachCrawl(t *testing.T) {
	const h = "\thttp://h0.test/"
	for printed, want := range map[string][]string{
		"order\tURL\tseeds\nbreadth" + h + "0.html\tseeds0\nbreadth" + h + "3.html\tseeds0\nbreadth" + h +
			"1.html\tseeds1\ndepth" + h + "2.html\tseeds1\n": {"0breadth[0 3] [] 0", "1breadth[1] [] 0",
			"1depth[2] [] 0"},
		"order\tURL\nbreadth" + h + "1.html\n": {"7breadth[1] [] 0"},
		"order\tURL\n":                         nil,
		"order\tURL\tcrawler\tseeds\nbreadth" + h + "0.html\t1\tseeds0\nbreadth" + h + "3.html\t0\tseeds0\n" +
			"# {\"each\":5,\"ever\":3}\nbreadth" + h + "1.html\t1\tseeds1\n# {}\n": {"0breadth[0 3] [1 0] 5",
			"1breadth[1] [1] 0"},
	} {
		var got []string
		err := eachCrawl(strings.NewReader(printed), 7, func(draw int, order string, c *Crawl) {
			got = append(got, fmt.Sprint(draw, order, c.Pages, c.By, c.Sent.Each))
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	for _, bad := range []string{"breadth" + h + "x.html\t0\tseeds0", "breadth" + h + "1.html\t0\tseed",
		"breadth" + h + "1.html\tx\tseeds0", "breadth" + h + "1.html\tseeds0", "breadth" + h + "1.html\t0\tx\tseeds0",
		"# {"} {
		err := eachCrawl(strings.NewReader("order\tURL\tcrawler\tseeds\n"+bad+"\n"), 7, func(int, string, *Crawl) {})
		if err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestTogether: all is done, never more at once than there are processors, and each error is told.
func TestTogether(t *testing.T) {
	var now, most, done atomic.Int64
	wrong := errors.New("wrong")
	var things []func() error
	for i := range 20 {
		things = append(things, func() error {
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			runtime.Gosched()
			now.Add(-1)
			if done.Add(1); i == 3 {
				return wrong
			}
			return nil
		})
	}
	err := Together(things...)
	if !errors.Is(err, wrong) || done.Load() != 20 || most.Load() > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%v, %d done, %d at once", err, done.Load(), most.Load())
	}
	old := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(old)
	if got := Hands([]int{1, 2, 3}); !reflect.DeepEqual(got, [][]int{{1, 3}, {2}}) {
		t.Errorf("hands %v", got)
	}
	if got := Hands([]int{5}); !reflect.DeepEqual(got, [][]int{{5}}) {
		t.Errorf("hands %v", got)
	}
}
