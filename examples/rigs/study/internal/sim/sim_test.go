package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/web"
)

const topics = 8

// topical is a Web of so many pages of eight topics, where a link leads to the page's own topic
// with probability locality, and else anywhere. It tests the machinery; it is no evidence.
func topical(pages int, locality float64) (*web.Web, []string) {
	random := rand.New(rand.NewPCG(5, uint64(1000*locality)))
	w := &web.Web{}
	labels := make([]string, topics)
	for i := range labels {
		labels[i] = fmt.Sprint("topic", i)
	}
	for i := range pages {
		p := web.Page{URL: fmt.Sprint("http://host/", i), Host: "host", Group: fmt.Sprint(i % 50),
			Label:  labels[i%topics],
			Status: 200, Size: 1000, Content: uint64(i)}
		for range 6 {
			to := random.IntN(pages)
			if random.Float64() < locality {
				to = to - to%topics + i%topics
			}
			if to != i && to < pages && !slices.Contains(p.Links, to) {
				p.Links = append(p.Links, to)
			}
		}
		w.Pages = append(w.Pages, p)
	}
	return w, labels
}

// crawl runs a partition on a Web, each crawler from the first page of its topic.
func crawl(t *testing.T, w *web.Web, p Partition) *Log {
	t.Helper()
	c := Crawl{Web: w, Partition: p, Exchange: 4}
	for i := range topics {
		c.Seeds = append(c.Seeds, []int{i})
	}
	l, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func byTopic(w *web.Web, labels []string) Owners {
	var of []string
	for i := range w.Pages {
		of = append(of, w.Pages[i].Label)
	}
	return ByLabel(labels, of)
}

func urls(w *web.Web) (all []string) {
	for i := range w.Pages {
		all = append(all, w.Pages[i].URL)
	}
	return all
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %.4f, want %.4f within %.4f", what, got, want, within)
	}
}

// Topics keep what the Web's locality says; permuted labels and rewired links, the red controls,
// what chance says.
func TestKeptFollowsLocality(t *testing.T) {
	w, labels := topical(4000, 0.6)
	topic := byTopic(w, labels)
	random := rand.New(rand.NewPCG(1, 1))
	f := crawl(t, w, Partition{Name: "topic", Pages: topic}).Figures()
	// A topic's own link is followed once by its crawler; those from elsewhere bring each page to
	// up to seven more.
	if f.Pages.Micro < 2*f.Pages.Chance || f.Pages.R < 0.15 {
		t.Errorf("kept %.3f by topic, where chance is %.3f", f.Pages.Micro, f.Pages.Chance)
	}
	permuted := crawl(t, w, Partition{Name: "permuted", Pages: Permuted(topic, random)}).Figures()
	near(t, "kept with permuted labels", permuted.Pages.Micro, 1./topics, 0.02)
	// A crawler of no page of its own fetches all the same: what chance keeps goes by what each
	// fetches.
	uneven := make(Owners, len(topic))
	for page := range uneven {
		uneven[page] = max(0, page%(2*topics)-topics)
	}
	dealt := crawl(t, w, Partition{Name: "uneven", Pages: Permuted(uneven, random)}).Figures().Pages
	near(t, "kept with uneven permuted labels", dealt.Micro, dealt.ByLoad, 0.01)
	near(t, "chance by size", dealt.Chance, (9*9+7)/256., 0.01) // nine sixteenths are the first crawler's
	if dealt.Chance < dealt.ByLoad+0.1 {
		t.Errorf("chance is %.3f by size and %.3f by load, where the largest owns half and fetches less", dealt.Chance,
			dealt.ByLoad)
	}
	rewired := crawl(t, w.Rewired(random), Partition{Name: "rewired", Pages: topic}).Figures()
	near(t, "kept with rewired links", rewired.Pages.Micro, 1./topics, 0.02)
	flat, labels := topical(4000, 0)
	none := crawl(t, flat, Partition{Name: "no locality", Pages: byTopic(flat, labels)}).Figures()
	near(t, "kept without locality", none.Pages.Micro, 1./topics, 0.02)
}

// Hashes of URLs fetch each once and keep a share of 1/N of the links; hashes of contents keep 1/N
// of the pages.
func TestHashesKeepByChance(t *testing.T) {
	w, _ := topical(4000, 0.6)
	byURL := crawl(t, w, Partition{Name: "url", URLs: ByHash(topics, urls(w))}).Figures()
	near(t, "links kept", byURL.Links.Micro, 1./topics, 0.01)
	if byURL.Again != 0 || byURL.By[0] != byURL.URLs || byURL.URLs < 3900 {
		t.Errorf("%d URLs, %.3f fetched again", byURL.URLs, byURL.Again)
	}
	if !math.IsNaN(byURL.Pages.Micro) {
		t.Errorf("a partition of URLs keeps %.3f of the pages", byURL.Pages.Micro)
	}
	content := crawl(t, w, Partition{Name: "content", Pages: ByHash(topics, urls(w))}).Figures()
	near(t, "pages kept", content.Pages.Micro, 1./topics, 0.01)
	if content.Copies != 0 || content.Again == 0 {
		t.Errorf("%.3f of the contents are held twice, %.3f fetched again", content.Copies, content.Again)
	}
}

// Without an exchange all crawlers fetch the whole Web: the red control of every figure of
// duplication.
func TestExchangeOff(t *testing.T) {
	w, labels := topical(2000, 0.6)
	off := crawl(t, w, Partition{Name: "off"}).Figures()
	if off.By[topics-1] != off.URLs || off.Again != topics-1 || off.Sent != 0 || off.Copies != 1 {
		t.Errorf("without exchange %d of %d URLs are fetched by all, %.2f again, %.3f bytes sent", off.By[topics-1],
			off.URLs, off.Again, off.Sent)
	}
	on := crawl(t, w, Partition{Name: "topic", Pages: byTopic(w, labels)}).Figures()
	if on.Again > off.Again/2 || on.Sent == 0 || on.Copies != 0 {
		t.Errorf("with it %.2f are fetched again, %.3f of the bytes sent", on.Again, on.Sent)
	}
}

// In combination hashing no URL is fetched twice and no content held twice.
func TestCombination(t *testing.T) {
	w, _ := topical(2000, 0.6)
	for i := range w.Pages {
		w.Pages[i].Content = uint64(i / 2) // two URLs each
	}
	contents := make([]string, len(w.Pages))
	for i := range contents {
		contents[i] = fmt.Sprint(i / 2)
	}
	f := crawl(t, w, Partition{Name: "both", URLs: ByHash(topics, urls(w)), Pages: ByHash(topics, contents)}).Figures()
	if f.Again != 0 || f.Copies != 0 {
		t.Errorf("%.3f fetched again, %.3f held twice", f.Again, f.Copies)
	}
	alone := crawl(t, w, Partition{Name: "url", URLs: ByHash(topics, urls(w))}).Figures()
	if alone.Copies < 0.5 {
		t.Errorf("by URL alone %.3f are held twice", alone.Copies)
	}
}

// X4's alternative sends links, not pages: fewer bytes, and contents stay with all who found them.
func TestLinksOnly(t *testing.T) {
	w, labels := topical(2000, 0.6)
	topic := byTopic(w, labels)
	pages, links := crawl(t, w, Partition{Name: "pages", Pages: topic}).Figures(),
		crawl(t, w, Partition{Name: "links", From: topic}).Figures()
	if links.Sent > pages.Sent/2 || links.Copies <= pages.Copies {
		t.Errorf("bytes sent %.3f and %.3f, contents held twice %.3f and %.3f", links.Sent, pages.Sent, links.Copies,
			pages.Copies)
	}
	near(t, "kept", links.Pages.Micro, pages.Pages.Micro, 0.05)
}

// A constant owner keeps all, by chance alone.
func TestConstant(t *testing.T) {
	w, _ := topical(2000, 0.6)
	f := crawl(t, w, Partition{Name: "constant", Pages: Constant(2000)}).Figures()
	if f.Pages.Micro != 1 || f.Pages.Chance != 1 || !math.IsNaN(f.Pages.R) || f.Fetched < topics-1 {
		t.Errorf("kept %.3f, chance %.3f, r %.3f, load %.1f", f.Pages.Micro, f.Pages.Chance, f.Pages.R, f.Fetched)
	}
}

// Two pages of two crawlers that link to each other, followed by hand.
func TestByHand(t *testing.T) {
	w := &web.Web{Pages: []web.Page{
		{URL: "http://a/", Status: 200, Size: 100, Content: 1, Links: []int{1, 2}},
		{URL: "http://b/", Status: 200, Size: 200, Content: 2, Links: []int{0, 2}},
		{URL: "http://c/", Status: 404, Size: 300, Content: 3},
	}}
	c := Crawl{Web: w, Partition: Partition{Pages: Owners{0, 1, Anyone}}, Seeds: [][]int{{0}, {}}, Exchange: 1}
	l, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	want := []Event{
		{Fetched, 0, 0, None, 0}, {Taken, 0, 0, None, 0}, // crawler 0 has its seed, and finds b and c
		{Fetched, 0, 1, 0, 200}, {Taken, 1, 1, None, 0}, // b goes to crawler 1, which finds a and c
		{Fetched, 0, 2, 0, 0}, {Taken, 0, 2, None, 0}, // c is no page and stays
		{Fetched, 1, 0, 1, 100}, // a is fetched again; crawler 0 has it
		{Fetched, 1, 2, 1, 0}, {Taken, 1, 2, None, 0},
	}
	if !slices.Equal(l.Events, want) {
		t.Fatalf("the log is\n%v\nwant\n%v", l.Events, want)
	}
	f := l.Figures()
	if f.Fetches != 5 || f.URLs != 3 || !slices.Equal(f.By, []int{1, 2}) || f.Sent != 300./1000 || f.Pages.Micro != 0 {
		t.Errorf("the figures are %+v", f)
	}
	if want := [][]int{{0, 200}, {100, 0}}; !slices.EqualFunc(f.Pages.Bytes, want, slices.Equal[[]int]) {
		t.Errorf("bytes from crawler to crawler are %v, want %v", f.Pages.Bytes, want)
	}
	if got := l.Until(0.7).Figures().URLs; got != 2 {
		t.Errorf("until 70 %% of three URLs are fetched, %d are", got)
	}
}

func TestInterval(t *testing.T) {
	w, labels := topical(2000, 0.6)
	l := crawl(t, w, Partition{Name: "topic", Pages: byTopic(w, labels)})
	low, high := l.Interval(500, 0.95, rand.New(rand.NewPCG(3, 3)))
	kept := l.Figures().Pages.Micro
	if !(low < kept && kept < high) || high-low > 0.1 {
		t.Errorf("kept is %.4f, between %.4f and %.4f", kept, low, high)
	}
}

// The interval of pages that are kept or not each for itself is as wide as a coin's; where a
// group's pages share one lot, as wide as that of so many coins as there are groups.
func TestIntervalIsOfGroups(t *testing.T) {
	const pages, groups = 5000, 50
	random := rand.New(rand.NewPCG(4, 4))
	for _, shared := range []bool{false, true} {
		w, coins := &web.Web{}, float64(pages)
		l := &Log{crawl: &Crawl{Web: w, Partition: Partition{Pages: make(Owners, pages)}, Seeds: make([][]int, 2)}}
		for i := range pages {
			w.Pages = append(w.Pages, web.Page{Group: fmt.Sprint(i % groups)})
			e := Event{Kind: Fetched, Page: i, Crawler: random.IntN(2)}
			if shared {
				e.Crawler, coins = i%groups%2, groups
			}
			l.add(e)
		}
		low, high := l.Interval(1000, 0.95, random)
		near(t, "the interval's width", (high-low)/(2*1.96*math.Sqrt(0.25/coins)), 1, 0.3)
	}
}

func TestLogIsTheSameEachTime(t *testing.T) {
	w, labels := topical(1000, 0.6)
	p := Partition{Name: "topic", Pages: byTopic(w, labels)}
	if !slices.Equal(crawl(t, w, p).Events, crawl(t, w, p).Events) {
		t.Error("two runs differ")
	}
}

func TestRunRefuses(t *testing.T) {
	for _, c := range []Crawl{{Web: &web.Web{}, Exchange: 1}, {Web: &web.Web{}, Seeds: make([][]int, 65), Exchange: 1},
		{Web: &web.Web{}, Seeds: make([][]int, 1)}} {
		if _, err := c.Run(); err == nil {
			t.Errorf("%d crawlers with an exchange every %d turns were let run", len(c.Seeds), c.Exchange)
		}
	}
}

// What is added to a part of a log leaves the log as it is.
func TestSliceIsItsOwn(t *testing.T) {
	w, labels := topical(100, 0.6)
	l := crawl(t, w, Partition{Name: "topic", Pages: byTopic(w, labels)})
	before := slices.Clone(l.Events)
	part := l.Slice(0, 2)
	part.add(Event{Page: 99})
	if !slices.Equal(l.Events, before) || len(part.Events) != 3 {
		t.Error("the log has changed")
	}
}

// A crawler sends no URL twice to the same one.
func TestURLsAreSentOnce(t *testing.T) {
	w := &web.Web{Pages: []web.Page{
		{URL: "http://a/", Status: 200, Size: 100, Content: 1, Links: []int{1, 2}},
		{URL: "http://b/", Status: 200, Size: 100, Content: 2, Links: []int{2}},
		{URL: "http://c/", Status: 200, Size: 100, Content: 3},
	}}
	c := Crawl{Web: w, Partition: Partition{URLs: Owners{0, 0, 1}}, Seeds: [][]int{{0}, {}}, Exchange: 1}
	l, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	f := l.Figures()
	if want := float64(len("http://c/\n")) / 300; f.Sent != want {
		t.Errorf("%.4f bytes are sent by byte fetched, want %.4f", f.Sent, want)
	}
	near(t, "links kept", f.Links.Micro, 1./3, 1e-9)
}

// A page that has come is not fetched by its owner where that learns its URL: crawler 1 finds it
// when it has come, crawler 2 has it queued by then.
func TestArrived(t *testing.T) {
	w := &web.Web{Pages: []web.Page{
		{URL: "http://a/", Status: 200, Size: 100, Content: 1, Links: []int{3, 4}},
		{URL: "http://b/", Status: 200, Size: 100, Content: 2, Links: []int{5}},
		{URL: "http://c/", Status: 200, Size: 100, Content: 3, Links: []int{6, 7, 4}},
		{URL: "http://of-b/", Status: 200, Size: 100, Content: 4},
		{URL: "http://of-c/", Status: 200, Size: 100, Content: 5},
		{URL: "http://b/2", Status: 200, Size: 100, Content: 6, Links: []int{8}},
		{URL: "http://c/2", Status: 200, Size: 100, Content: 7},
		{URL: "http://c/3", Status: 200, Size: 100, Content: 8},
		{URL: "http://b/3", Status: 200, Size: 100, Content: 9, Links: []int{9}},
		{URL: "http://b/4", Status: 200, Size: 100, Content: 10, Links: []int{3}},
	}}
	for arrived, want := range map[Arrived]int{Forgotten: 12, Learned: 11, Skipped: 10} {
		c := Crawl{Web: w, Partition: Partition{Pages: Owners{0, 1, 2, 1, 2, 1, 2, 2, 1, 1}},
			Seeds: [][]int{{0}, {1}, {2}}, Exchange: 3, Arrived: arrived}
		l, err := c.Run()
		if err != nil {
			t.Fatal(err)
		}
		if f := l.Figures(); f.Fetches != want || f.URLs != 10 {
			t.Errorf("%d: %d fetches of %d URLs, want %d of 10", arrived, f.Fetches, f.URLs, want)
		}
	}
}

// Of a copy those links are followed that its first page has not, once; it is not held again.
func TestCopied(t *testing.T) {
	w := &web.Web{Pages: []web.Page{
		{URL: "http://a/", Status: 200, Size: 100, Content: 1, Links: []int{1, 2}},
		{URL: "http://a/b", Status: 200, Size: 100, Content: 1, Links: []int{2, 3}},
		{URL: "http://a/c", Status: 200, Size: 100, Content: 1, Links: []int{1}},
		{URL: "http://a/d", Status: 200, Size: 100, Content: 2},
	}}
	l, err := (&Crawl{Web: w, Partition: Partition{URLs: Constant(4)}, Seeds: [][]int{{0}}, Exchange: 1}).Run()
	if err != nil {
		t.Fatal(err)
	}
	var of []Event
	for _, e := range l.Events {
		if e.Kind != Fetched {
			of = append(of, e)
		}
	}
	if want := []Event{{Taken, 0, 0, None, 0}, {Copied, 0, 1, 0, 0}, {Taken, 0, 3, None, 0}}; !slices.Equal(of, want) {
		t.Errorf("taken: %v, want %v", of, want)
	}
	if f := l.Figures(); f.Links.Matrix[0][0] != 3 || f.Held != 1 {
		t.Errorf("%d links followed, held %v", f.Links.Matrix[0][0], f.Held)
	}
}

// TestOrder: 0 leads to 1, 2, 3 and 4 with rising scores, and 3, which is fetched behind 4, raises 1 above
// 2. Without Rises it does not, and without an order pages come as they are met.
func TestOrder(t *testing.T) {
	w := &web.Web{}
	for i, links := range [][]int{{1, 2, 3, 4}, {}, {}, {1}, {}} {
		w.Pages = append(w.Pages, web.Page{URL: fmt.Sprint("http://a/", i), Status: 200, Size: 1, Content: uint64(i),
			Links: links})
	}
	score := func(crawler, from, to int) float64 {
		if from == 3 {
			return 1
		}
		return float64(to) / 5
	}
	for _, test := range []struct {
		order *Order
		want  []int
	}{
		{nil, []int{0, 1, 2, 3, 4}},
		{&Order{Score: score}, []int{0, 4, 3, 2, 1}},
		{&Order{Score: score, Rises: true}, []int{0, 4, 3, 1, 2}},
		{&Order{Score: func(int, int, int) float64 { return 2 }}, []int{0, 1, 2, 3, 4}},
		{&Order{Score: func(int, int, int) float64 { return -1 }, Rises: true}, []int{0, 1, 2, 3, 4}},
	} {
		l, err := (&Crawl{Web: w, Partition: Partition{Pages: Constant(5)}, Seeds: [][]int{{0}}, Exchange: 1,
			Order: test.order}).Run()
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, e := range l.Events {
			if e.Kind == Fetched {
				got = append(got, e.Page)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v: fetched %v, want %v", test.order, got, test.want)
		}
	}
}

// TestOrderAtTheEnd: when a web is exhausted the order has changed nothing.
func TestOrderAtTheEnd(t *testing.T) {
	w, labels := topical(800, 0.5)
	p := Partition{Name: "topic", Pages: byTopic(w, labels)}
	first := crawl(t, w, p).Figures()
	c := Crawl{Web: w, Partition: p, Exchange: 4, Order: &Order{Rises: true,
		Score: func(_, from, to int) float64 { return float64((from+7*to)%13) / 12 }}}
	for i := range topics {
		c.Seeds = append(c.Seeds, []int{i})
	}
	l, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	second := l.Figures()
	if second.Fetches != first.Fetches || second.URLs != first.URLs || !slices.Equal(second.By, first.By) {
		t.Errorf("%d fetches by %v, without an order %d by %v", second.Fetches, second.By, first.Fetches, first.By)
	}
}
