package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// small is the links of a graph that can be crawled by hand, with what is no page of it: a link to
// what was not fetched, one without via, a page twice, a link to the page itself.
//
//	0 ─► 1 2 3    1 ─► 4 5    2 ─► 5    3 ─► 6 5    4 ─► 7    5 ─► 8    6 7 8 ─► 0
var small = []string{
	"http://a.test/1\tdepth=1\tvia=http://a.test/0", "http://a.test/2\tdepth=1\tvia=http://a.test/0",
	"http://a.test/3\tdepth=1\tvia=http://a.test/0", "http://a.test/x.png\tdepth=1\tvia=http://a.test/0",
	"http://a.test/4\tdepth=2\tvia=http://a.test/1", "HTTP://a.test:80/5\tdepth=2\tvia=http://a.test/1",
	"http://a.test/5\tdepth=2\tvia=http://a.test/2", "http://a.test/6\tdepth=2\tvia=http://a.test/3",
	"http://a.test/5\tdepth=2\tvia=http://a.test/3", "http://a.test/5\tdepth=2\tvia=http://a.test/3",
	"http://a.test/7\tdepth=3\tvia=http://a.test/4", "http://a.test/8\tdepth=3\tvia=http://a.test/5",
	"http://a.test/0\tdepth=3\tvia=http://a.test/6", "http://a.test/0\tdepth=4\tvia=http://a.test/7",
	"http://a.test/0\tdepth=4\tvia=http://a.test/8", "http://a.test/8\tdepth=4\tvia=http://a.test/8",
	"http://a.test/nobody",
}

func advised(t *testing.T, lines []string, args ...string) string {
	t.Helper()
	return stagetest.MustRun(t, tool(), setup, strings.Join(lines, "\n")+"\n", append(args, "-")...).Stdout
}

// wants checks that lines are in a table, whatever blanks there are.
func wants(t *testing.T, table string, lines ...string) {
	t.Helper()
	table = regexp.MustCompile(` +`).ReplaceAllString(table, " ")
	table = regexp.MustCompile(`(?m)^ +| +(| )$`).ReplaceAllString(table, "")
	for _, line := range lines {
		if !strings.Contains("\n"+table, "\n"+line+"\n") {
			t.Errorf("there is no line %q in\n%s", line, table)
		}
	}
}

// TestByHand: when page 5 is fetched in each order, one page at a time.
//
//	breadth   0 1 2 3 4 5
//	depth     0 1 4 7 5
//	backlink  0 1 2 5: the second link to 5 is on 2
//	opic      0 1 2 5: it has 1/6 of 1 and 1/3 of 2
//	pagerank  0 1 4 7 5: behind 1, R(4) = R(5) = 0.15 + 0.85 R(1)/2 are above R(2) = R(3) = R(1); 7 has all of 4
//	oracle    0 1 5
func TestByHand(t *testing.T) {
	got := advised(t, small, "-urls", "1", "-match", "/5$")
	wants(t, got, "9 pages, 13 links, 1 seeds; 9 pages can be reached. Batches of 1.",
		"Wanted: those that match; 1 pages, of which 1 can be reached.",
		"breadth 6 6 6 6", "depth 5 5 5 5", "backlink 4 4 4 4", "opic 4 4 4 4", "pagerank 5 5 5 5", "oracle 3 3 3 3")
}

// TestOracle: the oracle knows that 6 is wanted and has it before 4, which waits for longer; three links
// lead to 5, which comes first behind 1.
func TestOracle(t *testing.T) {
	wants(t, advised(t, small, "-urls", "1", "-match", "/6$"), "oracle 6 6 6 6")
}

// TestHottest: 0 and 5 have three links each, all others one. Breadth has both after 6 pages.
func TestHottest(t *testing.T) {
	got := advised(t, small, "-urls", "1", "-hottest", "22")
	wants(t, got, "Wanted: the 22 % that most pages link to; 2 pages, of which 2 can be reached.", "breadth 1 1 6 6",
		"oracle 1 1 3 3")
	if !strings.Contains(got, "No order would have found half of the wanted first alone: ") {
		t.Errorf("all have 0 after one page:\n%s", got)
	}
}

// TestBatch: the links of a batch are known when all of it was fetched. In batches of two opic has
// {0} {1 2} {5 …}, in batches of three {0} {1 2 3} {5 …}.
func TestBatch(t *testing.T) {
	wants(t, advised(t, small, "-urls", "2", "-match", "/5$"), "opic 4 4 4 4", "breadth 6 6 6 6")
	wants(t, advised(t, small, "-urls", "3", "-match", "/5$"), "opic 5 5 5 5", "breadth 6 6 6 6")
}

// TestSeedsAndWanted: files of seeds and of wanted URLs; a URL that is no page does no harm.
func TestSeedsAndWanted(t *testing.T) {
	seeds := stagetest.Write(t, "seeds", "http://a.test/4", "http://nowhere.test/")
	wanted := stagetest.Write(t, "wanted", "http://a.test/0", "http://a.test/x.png")
	// 4 leads to 7, and 7 to 0.
	wants(t, advised(t, small, "-urls", "1", "-seeds", seeds, "-wanted", wanted), "breadth 3 3 3 3", "depth 3 3 3 3")
}

// TestScore: the order score is there when links have scores, and goes by them.
func TestScore(t *testing.T) {
	lines := slices.Clone(small)
	lines[2] += "\tscore=0.9" // of 3
	wants(t, advised(t, lines, "-urls", "1", "-match", "/3$"), "score 2 2 2 2", "breadth 4 4 4 4")
	if got := advised(t, small); strings.Contains(got, "score") {
		t.Errorf("there are no scores:\n%s", got)
	}
}

// TestWorth: with worths, the links of a page have its worth as their score, and 9, which has none, is a
// page. 3 is worth more than 1 and lifts 5 behind 6; 2 is worth nothing.
func TestWorth(t *testing.T) {
	lines := append(slices.Clone(small), "http://a.test/9\tdepth=2\tvia=http://a.test/2",
		"http://a.test/9\tworth=0\tdepth=2\tvia=http://a.test/2")
	lines[6] += "\tscore=1" // of 2
	for page, worth := range map[int]string{0: "0.5", 1: "0.2", 3: "0.9", 5: "1"} {
		lines = append(lines, fmt.Sprintf("http://a.test/%d\tworth=%s", page, worth))
	}
	got := advised(t, lines, "-urls", "1", "-fetched", "-order", "score")
	want := "order\tURL\n"
	for _, page := range "0123658497" {
		want += "score\thttp://a.test/" + string(page) + "\n"
	}
	if got != want {
		t.Errorf("fetched:\n%swant\n%s", got, want)
	}
	wants(t, advised(t, lines, "-urls", "1", "-match", "/8$"), "10 pages, 14 links, 1 seeds; 10 pages can be reached. "+
		"Batches of 1.", "score 7 7 7 7", "oracle 4 4 4 4")
	// What is learned is the worth and not what is wanted: that changes nothing.
	learned := func(wanted string) string {
		return advised(t, lines, "-urls", "1", "-fetched", "-order", "learned", "-match", wanted)
	}
	if learned("/9$") != learned("/[1-4]$") {
		t.Error("the order learned goes by what is wanted, though worths are there")
	}
}

// TestHubs: b links to c, of another site, which is relevant, and to e; so e rises above d when that is known.
func TestHubs(t *testing.T) {
	lines := []string{"http://a.test/\tworth=0.5", "http://b.test/\tworth=0.4", "http://c.test/\tworth=0.6",
		"http://d.test/\tworth=0", "http://e.test/\tworth=0"}
	for _, link := range []string{"ab", "ad", "bc", "be", "cf", "fa"} {
		lines = append(lines, fmt.Sprintf("http://%c.test/\tdepth=2\tvia=http://%c.test/", link[1], link[0]))
	}
	seeds := stagetest.Write(t, "seeds", "http://b.test/", "http://a.test/")
	for flag, want := range map[string]string{"0": "adbcfe", "1": "adbcef"} {
		got := ""
		for line := range strings.Lines(advised(t, lines, "-urls", "1", "-fetched", "-order", "score", "-seeds", seeds,
			"-hubs", flag)) {
			if _, url, ok := strings.Cut(line, "\thttp://"); ok {
				got += url[:1]
			}
		}
		if got != want {
			t.Errorf("-hubs %s: %s, want %s", flag, got, want)
		}
	}
}

// TestCurves: 5 is the sixth of nine pages in breadth-first order, so it is there from 67 % on.
func TestCurves(t *testing.T) {
	got := advised(t, small, "-urls", "1", "-match", "/5$", "-tsv")
	for _, line := range []string{"wanted\torder\tfetched %\tfound %", "match\tbreadth\t66\t0.00",
		"match\tbreadth\t67\t100.00", "match\toracle\t33\t0.00", "match\toracle\t34\t100.00"} {
		if !strings.Contains("\n"+got, "\n"+line+"\n") {
			t.Errorf("there is no line %q", line)
		}
	}
	if n := strings.Count(got, "\n"); n != 1+8*101 {
		t.Errorf("%d lines, want one for the columns and 101 for each order", n)
	}
}

// TestOrders: only the orders of -order are printed, sums among them; with -fetched their pages.
func TestOrders(t *testing.T) {
	got := advised(t, small, "-urls", "1", "-match", "/5$", "-order", "backlink=2,depth breadth")
	wants(t, got, "backlink=2,depth 4 4 4 4", "breadth 6 6 6 6", "oracle 3 3 3 3")
	if strings.Contains(got, "opic") {
		t.Errorf("opic was not asked for:\n%s", got)
	}
	got = advised(t, small, "-urls", "1", "-fetched", "-order", "learned", "-match", "/5$")
	if !strings.HasPrefix(got, "order\tURL\nlearned\thttp://a.test/0\n") || strings.Count(got, "\n") != 1+9 {
		t.Errorf("the order learned, which goes by what is wanted, fetched\n%s", got)
	}
	got = advised(t, small, "-urls", "1", "-fetched", "-order", "depth backlink")
	want := "order\tURL\n"
	for _, order := range []struct{ name, pages string }{{"depth", "014758236"}, {"backlink", "012534867"}} {
		for _, page := range order.pages {
			want += order.name + "\thttp://a.test/" + string(page) + "\n"
		}
	}
	if got != want {
		t.Errorf("fetched:\n%swant\n%s", got, want)
	}
}

// TestSeeds: with several lists of seeds each is crawled from in turn, and -pages ends each crawl with a
// batch.
func TestSeeds(t *testing.T) {
	a, b := stagetest.Write(t, "a", "http://a.test/0"), stagetest.Write(t, "b", "http://a.test/2")
	for flags, pages := range map[string][2]string{"": {"012345678", "258013467"}, "-pages 3": {"012", "258"},
		"-pages 4": {"01234", "2580"}, "-pages 5": {"01234", "258013"}, "-exact": {"012345678", "258013467"},
		"-exact -pages 3": {"012", "258"}, "-pages 1": {"0", "2"}} {
		args := append([]string{"-urls", "2", "-fetched", "-order", "breadth", "-seeds", a + "," + b},
			strings.Fields(flags)...)
		want := "order\tURL\tseeds\n"
		for i, file := range []string{a, b} {
			for _, page := range pages[i] {
				want += "breadth\thttp://a.test/" + string(page) + "\t" + file + "\n"
			}
		}
		if got := advised(t, small, args...); got != want {
			t.Errorf("%s:\n%swant\n%s", flags, got, want)
		}
	}
	for _, flags := range []string{"-seeds a,b", "-pages 3", "-fetched -pages -1"} {
		if r := stagetest.Run(t, tool(), setup, "", strings.Fields(flags)...); r.Code != 2 {
			t.Errorf("%s: exit %d, want 2", flags, r.Code)
		}
	}
}

// TestExact: in the second batch 2 has three links and 1, which is older, has two; the class of both is
// that of two.
func TestExact(t *testing.T) {
	var lines []string
	for from, all := range []string{"345", "0", "0", "12", "12", "2"} {
		for _, to := range all {
			lines = append(lines, fmt.Sprintf("http://a.test/%c\tdepth=1\tvia=http://a.test/%d", to, from))
		}
	}
	seed := stagetest.Write(t, "seeds", "http://a.test/0")
	args := []string{"-urls", "3", "-fetched", "-order", "backlink", "-seeds", seed}
	for want, args := range map[string][]string{"034512": args, "034521": append(args, "-exact")} {
		got := ""
		for _, line := range strings.Split(strings.TrimSpace(advised(t, lines, args...)), "\n")[1:] {
			got += line[len(line)-1:]
		}
		if got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
	// Behind 7, which links to 0, R(2) = R(3) = 0.284 are above R(5) = 0.271, and in its class.
	wants(t, advised(t, small, "-urls", "1", "-exact", "-match", "/5$"), "breadth 6 6 6 6", "backlink 4 4 4 4",
		"pagerank 6 6 6 6", "oracle 3 3 3 3", "random 5 5 5 5")
}

// TestCrawlers: two crawlers fetch what one does; pages of the second wait for a batch more.
func TestCrawlers(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("http://h%d.test/\tdepth=1\tvia=http://h0.test/", i+1),
			fmt.Sprintf("http://h0.test/\tdepth=2\tvia=http://h%d.test/", i+1))
	}
	one := strings.Fields(advised(t, lines, "-urls", "8", "-fetched", "-order", "breadth"))
	two := strings.Fields(advised(t, lines, "-urls", "8", "-crawlers", "2", "-fetched", "-order", "breadth"))
	if slices.Equal(one, two) {
		t.Error("two crawlers fetch in the order of one")
	}
	slices.Sort(one)
	slices.Sort(two)
	if !slices.Equal(one, two) || len(one) != 2+2*41 {
		t.Errorf("one crawler fetches %d pages, two %d, want 41", len(one)/2-1, len(two)/2-1)
	}
}

// TestModes: 0 to 4 belong to the first crawler and 5 to 8 to the second, in one batch a round each.
//
//	0 ─► 1 2 3    1 ─► 4 5    2 ─► 5    3 ─► 6 5    4 ─► 7    5 ─► 8    6 7 8 ─► 0
func TestModes(t *testing.T) {
	var lines []string
	for page := range 9 {
		lines = append(lines, fmt.Sprintf("http://a.test/%d\towner=%d", page, page/5))
	}
	owners := stagetest.Write(t, "owners", lines...)
	popular := stagetest.Write(t, "popular", "http://a.test/5")
	seeds := stagetest.Write(t, "seeds", "http://a.test/0", "http://a.test/8")
	for flags, want := range map[string]string{
		// Each of 1 2 3 links to 5, 3 to 6, and 4 to 7; 6 7 8 link to 0.
		"-owners " + owners: `0:0 8:1 1:0 2:0 3:0 4:0 5:1 6:1 7:1 ` +
			`{"each":8,"batch":6,"ever":4,"sums":0,"messages":5,"dropped":0,"aside":0,"replicated":0}`,
		"-exchange 6 -owners " + owners: `0:0 8:1 1:0 2:0 3:0 4:0 5:1 6:1 7:1 ` +
			`{"each":8,"batch":5,"ever":4,"sums":0,"messages":3,"dropped":0,"aside":0,"replicated":0}`,
		"-replicated " + popular + " -owners " + owners: `0:0 8:1 5:1 1:0 2:0 3:0 4:0 6:1 7:1 ` +
			`{"each":5,"batch":5,"ever":3,"sums":0,"messages":5,"dropped":0,"aside":0,"replicated":3}`,
		// Of the four links to 5 and 6 that 1 2 3 have, two are sent, and 6 and 7 both link to 0 at the end.
		"-exchange 6 -links sum -owners " + owners: `0:0 8:1 1:0 2:0 3:0 4:0 5:1 6:1 7:1 ` +
			`{"each":8,"batch":5,"ever":4,"sums":5,"messages":3,"dropped":0,"aside":0,"replicated":0}`,
		"-others drop -owners " + owners: `0:0 8:1 1:0 2:0 3:0 4:0 ` +
			`{"each":0,"batch":0,"ever":0,"sums":0,"messages":0,"dropped":6,"aside":0,"replicated":0}`,
		// The second has only 0 aside, then 1 2 3; its own 5 waits behind 1 and goes before 2.
		"-others aside -owners " + owners: `0:0 8:1 1:0 2:0 3:0 0:1 4:0 1:1 5:0 5:1 6:0 2:1 7:0 3:1 8:0 6:1 4:1 7:1 ` +
			`{"each":0,"batch":0,"ever":0,"sums":0,"messages":0,"dropped":0,"aside":9,"replicated":0}`,
		"-by none": `0:0 8:1 1:0 2:0 3:0 0:1 4:0 5:0 6:0 1:1 2:1 3:1 7:0 8:0 4:1 5:1 6:1 7:1 ` +
			`{"each":0,"batch":0,"ever":0,"sums":0,"messages":0,"dropped":0,"aside":0,"replicated":0}`,
	} {
		args := append([]string{"-crawlers", "2", "-urls", "1000", "-fetched", "-counts", "-order", "breadth", "-seeds",
			seeds}, strings.Fields(flags)...)
		printed := advised(t, small, args...)
		if !strings.HasPrefix(printed, "order\tURL\tcrawler\n") {
			t.Errorf("%s: the columns are %.40q", flags, printed)
		}
		got := regexp.MustCompile(`(?s)^.*?\n|breadth\thttp://a.test/|# `).ReplaceAllString(printed, "")
		got = strings.TrimSpace(strings.NewReplacer("\t", ":", "\n", " ").Replace(got))
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", flags, got, want)
		}
	}
}

// TestBy: pages of a host in two crawlers, hosts of a domain in two, domains in two.
func TestBy(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("http://a.one.test/%d\tdepth=1\tvia=http://a.one.test/%[1]d", i),
			fmt.Sprintf("http://h%d.two.test/\tdepth=1\tvia=http://h%[1]d.two.test/", i),
			fmt.Sprintf("http://d%d.test/\tdepth=1\tvia=http://d%[1]d.test/", i))
	}
	for by, want := range map[string][3]int{"url": {2, 2, 2}, "host": {1, 2, 2}, "domain": {1, 1, 2},
		"hierarchy": {1, 1, 2}} {
		printed := advised(t, lines, "-crawlers", "2", "-by", by, "-fetched", "-counts", "-order", "breadth")
		for i, of := range []string{`a\.one\.test/\d+`, `h\d+\.two\.test/`, `d\d+\.test/`} {
			crawlers := map[string]bool{}
			for _, line := range regexp.MustCompile(`//`+of+`\t(\d)\n`).FindAllStringSubmatch(printed, -1) {
				crawlers[line[1]] = true
			}
			if len(crawlers) != want[i] {
				t.Errorf("-by %s: pages %s are with %d crawlers, want %d", by, of, len(crawlers), want[i])
			}
		}
	}
}

// TestOverlap: in the table a page that two independent crawlers fetch counts when the first has it.
func TestOverlap(t *testing.T) {
	seeds := stagetest.Write(t, "seeds", "http://a.test/0", "http://a.test/5")
	// 0 5 1 8 2 are fetched first, and 0 by the second then; so 3 is the sixth page, behind these and 4.
	wants(t, advised(t, small, "-crawlers", "2", "-by", "none", "-urls", "2", "-seeds", seeds, "-match", "/3$",
		"-order", "breadth"), "9 pages, 13 links, 2 seeds; 9 pages can be reached. Batches of 2.", "breadth 6 6 6 6")
}

// TestWrong: what cannot be done is said.
func TestWrong(t *testing.T) {
	lacks := stagetest.Write(t, "lacks", "http://a.test/1\towner=0")
	third := stagetest.Write(t, "third", "http://a.test/0\towner=2", "http://a.test/1\towner=0")
	for _, test := range []struct {
		args []string
		in   string
		code int
		says string
	}{
		{[]string{"-urls", "0"}, small[0], stage.ExitUsage, "-urls"},
		{[]string{"-hottest", "101"}, small[0], stage.ExitUsage, "-hottest"},
		{[]string{"-match", "("}, small[0], stage.ExitUsage, "-match"},
		{[]string{"-delay", "2m"}, small[0], stage.ExitUsage, "-delay"},
		{[]string{"-crawlers", "0"}, small[0], stage.ExitUsage, "-crawlers"},
		{[]string{"-by", "site"}, small[0], stage.ExitUsage, "-by"},
		{[]string{"-crawlers", "2", "-owners", lacks}, small[0], stage.ExitFailed, `of the page "http://a.test/0"`},
		{[]string{"-crawlers", "2", "-owners", third}, small[0], stage.ExitFailed, "owner=2"},
		{[]string{"-by", "owner"}, small[0], stage.ExitUsage, "-owners"},
		{[]string{"-by", "none", "-others", "drop"}, small[0], stage.ExitUsage, "-by none"},
		{[]string{"-by", "url", "-owners", "x"}, small[0], stage.ExitUsage, "-by and -owners"},
		{[]string{"-others", "keep"}, small[0], stage.ExitUsage, "-others"},
		{[]string{"-others", "drop", "-exchange", "1"}, small[0], stage.ExitUsage, "-exchange"},
		{[]string{"-links", "some"}, small[0], stage.ExitUsage, "-links"},
		{[]string{"-links", "sum", "-others", "drop"}, small[0], stage.ExitUsage, "-links"},
		{[]string{"-follow", "2"}, small[0], stage.ExitUsage, "-follow"},
		{[]string{"-counts"}, small[0], stage.ExitUsage, "-counts"},
		{[]string{"-hubs", "1001"}, small[0], stage.ExitUsage, "-hubs"},
		{[]string{"-hubs", "1"}, small[0], stage.ExitFailed, "worth="},
		{[]string{"-exact", "-delay", "1s"}, small[0], stage.ExitUsage, "-exact"},
		{[]string{"-exact", "-order", "depth,breadth"}, small[0], stage.ExitUsage, "-exact"},
		{[]string{"-order", "best"}, small[0], stage.ExitUsage, "best"},
		{[]string{"-match", "x", "-wanted", "y"}, small[0], stage.ExitUsage, "together"},
		{nil, "http://a.test/1\tdepth=1", stage.ExitFailed, "via="},
		{nil, "http://a.test/1\tdepth=2\tvia=http://a.test/0", stage.ExitFailed, "-seeds"},
		{[]string{"-match", "nowhere"}, small[0], stage.ExitFailed, "none of the wanted"},
	} {
		r := stagetest.Run(t, tool(), setup, test.in+"\n", append(test.args, "-")...)
		if r.Code != test.code || !strings.Contains(r.Stderr, test.says) {
			t.Errorf("%v: exit code %d, %s", test.args, r.Code, r.Stderr)
		}
	}
}
