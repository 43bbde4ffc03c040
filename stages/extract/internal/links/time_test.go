package links

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/httphead"
)

// costly are pages made to be slow to read, of about n bytes each.
var costly = []struct {
	name string
	page func(n int) string
}{
	{"nesting", func(n int) string { return strings.Repeat("<div>", n/5) }},
	{"nesting of links", func(n int) string { return strings.Repeat("<a href=#><b>x", n/14) }},
	{"links", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "<a href=%d>", i)
		}
		return b.String()
	}},
	{"links up a long path", func(n int) string {
		return "<base href='/" + strings.Repeat("long/", 90) + "'>" +
			strings.Repeat("<a href='../../../"+strings.Repeat("../x/", 50)+"'>", n/280)
	}},
	{"attributes", func(n int) string {
		var b strings.Builder
		b.WriteString("<a ")
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "a%d=%d ", i, i)
		}
		return b.String() + ">"
	}},
	{"equal attributes", func(n int) string { return "<a " + strings.Repeat("href=x ", n/7) + ">" }},
	{"a long attribute", func(n int) string { return "<a href='" + strings.Repeat("x", n) + "'>" }},
	{"a long REL", func(n int) string { return "<link href=x rel='" + strings.Repeat("x ", n/2) + "'>" }},
	{"a long SRCSET", func(n int) string { return "<img srcset='" + strings.Repeat("x 1x,", n/5) + "'>" }},
	{"parentheses in SRCSET", func(n int) string { return "<img srcset='x " + strings.Repeat("(,", n/2) + "'>" }},
	{"a long refresh", func(n int) string {
		return "<meta http-equiv=refresh content='0;" + strings.Repeat(" url=", n/5) + "'>"
	}},
	{"a long robots", func(n int) string { return "<meta name=robots content='" + strings.Repeat("x,", n/2) + "'>" }},
	{"entities", func(n int) string {
		return "<a href='" + strings.Repeat("&amp;&amp", n/9) + "'>" + strings.Repeat("&", n/2)
	}},
	{"no entities", func(n int) string { return "<a href='" + strings.Repeat("&notit", n/6) + "'>" }},
	{"lesser signs", func(n int) string { return strings.Repeat("<", n) }},
	{"ends of nothing", func(n int) string { return strings.Repeat("</", n/2) }},
	{"declarations", func(n int) string { return strings.Repeat("<!", n/2) }},
	{"comments", func(n int) string { return strings.Repeat("<!--", n/4) }},
	{"comments that nearly end", func(n int) string { return "<!--" + strings.Repeat("--!", n/3) }},
	{"a title without end", func(n int) string { return "<title>" + strings.Repeat("</titl", n/6) }},
	{"a script without end", func(n int) string { return "<script>" + strings.Repeat("<!--<script></scrip", n/19) }},
	{"CDATA", func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n/9) }},
	{"quotes", func(n int) string { return strings.Repeat("<a b='", n/6) }},
	{"NULs", func(n int) string { return "<a href='" + strings.Repeat("\x00", n) + "'>" }},
	{"a charset to undo", func(n int) string { return "<meta charset=gb18030>" + strings.Repeat("\x81\x30\x81", n/3) }},
	{"escapes of ISO-2022-JP", func(n int) string {
		return "<meta charset=iso-2022-jp>" +
			strings.Repeat("\x1b$B", n/3)
	}},
}

// read is what costs.
func read(tb testing.TB, page []byte) {
	h := httphead.Fields{{Name: "Content-Type", Value: "text/html"}}
	if _, err := NewFinder(Options{Kinds: All, Obey: true, Anchors: true, Max: 10_000}).Find(Page{URL: pageURL,
		Header: h, Body: page}); err != nil {
		tb.Fatal(err)
	}
}

// TestTimeGrowsWithSize holds that no page costs more than in proportion to its size: of one 32
// times as long, 32 times as much is expected, 1,024 times if it grew with the square, and 200
// allowed. What is measured is the processor's time; still, others on the machine may slow a
// reading, so that only the fastest of some counts.
func TestTimeGrowsWithSize(t *testing.T) {
	const small, allowed = 8 << 10, 200
	for _, c := range costly {
		short, long := []byte(c.page(small)), []byte(c.page(32*small))
		least, most := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for range 3 {
			least = min(least, cost(t, short))
			most = min(most, cost(t, long))
			if most < allowed*least {
				break
			}
		}
		// The clock may be coarse: nothing is blamed on what takes no time.
		if most > allowed*max(least, 100*time.Microsecond) {
			t.Errorf("%s: %v for %d bytes, %v for %d", c.name, least, len(short), most, len(long))
		}
	}
}

// cost gives the processor's time for reading a page.
func cost(t *testing.T, page []byte) time.Duration {
	before := stagetest.Processor()
	read(t, page)
	return stagetest.Processor() - before
}

// BenchmarkCostly reads each costly page at 10 MB.
func BenchmarkCostly(b *testing.B) {
	for _, c := range costly {
		page := []byte(c.page(10_000_000))
		b.Run(strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				read(b, page)
			}
		})
	}
}
