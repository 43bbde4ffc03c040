package robots

import (
	"strings"
	"testing"
	"time"
)

// judge tells whether body allows the path to the crawler "foobot".
func judge(body, path string) Verdict {
	return Parse([]byte(body), "foobot").Judge("http://example.com" + path)
}

// TestGroups has what neither the RFC nor Google has an example of.
func TestGroups(t *testing.T) {
	tests := []struct {
		name, body string
		allowed    bool
	}{
		{"empty file", "", true},
		{"not a robots.txt", "<html><body>Not found</body></html>", true},
		{"own empty group instead of star", "User-agent: foobot\n\nUser-agent: *\nDisallow: /\n",
			false}, // one group: two user-agent lines in a row
		{"own group with empty rule", "User-agent: *\nDisallow: /\nUser-agent: foobot\nDisallow:\n", true},
		{"version behind the token", "User-agent: foobot/2.1\nDisallow: /\n", false},
		{"longer name", "User-agent: foobot-news\nDisallow: /\n", true},
		{"shorter name", "User-agent: foo\nDisallow: /\n", true},
		{"crawl-delay does not split names", "User-agent: bar\nCrawl-delay: 3\nUser-agent: foobot\nDisallow: /\n",
			false},
		{"star with words behind it", "User-agent: * all of you\nDisallow: /\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(tt.body, "/page").Allowed; got != tt.allowed {
				t.Errorf("allowed = %v, want %v", got, tt.allowed)
			}
		})
	}
}

func TestDecidingLine(t *testing.T) {
	body := "# comment\nUser-agent: *\n\nDisallow: /a\nAllow: /a/b\n"
	for path, line := range map[string]int{"/a": 4, "/a/b/c": 5, "/z": 0} {
		if got := judge(body, path).Line; got != line {
			t.Errorf("line deciding %s = %d, want %d", path, got, line)
		}
	}
	var many strings.Builder
	many.WriteString("User-agent: *\n")
	for i := range 300 {
		many.WriteString("Disallow: /a\nDisallow: /" + strings.Repeat("c", i*7%13+2) + "\n")
	}
	if got := judge(many.String(), "/a").Line; got != 2 {
		t.Errorf("of many lines deciding /a it is %d, want the first, 2", got)
	}
}

func TestCrawlDelay(t *testing.T) {
	tests := []struct {
		body string
		want time.Duration
	}{
		{"User-agent: *\nCrawl-delay: 10\n", 10 * time.Second},
		{"User-agent: *\nCrawl-delay: 0.5\n", 500 * time.Millisecond},
		{"User-agent: *\ncrawl-delay: 2\nCrawl-Delay: 1\n", 2 * time.Second},
		{"User-agent: *\nCrawl-delay: 10\nUser-agent: foobot\nCrawl-delay: 3\nDisallow: /x\n", 3 * time.Second},
		{"User-agent: foobot\nCrawl-delay: 10\nUser-agent: bar\nCrawl-delay: 30\nDisallow: /x\n",
			30 * time.Second}, // one group of two names
		{"User-agent: *\nCrawl-delay: 10\nDisallow: /x\nUser-agent: foobot\nCrawl-delay: 3\n", 3 * time.Second},
		{"User-agent: *\nCrawl-delay: 10\nDisallow: /x\nUser-agent: foobot\nDisallow: /x\n", 0},
		{"User-agent: *\nCrawl-delay: 1e300\n", MaxDelay},
		{"User-agent: *\nCrawl-delay: Inf\n", MaxDelay},
		{"User-agent: *\nCrawl-delay: NaN\n", 0},
		{"User-agent: *\nCrawl-delay: -4\n", 0},
		{"User-agent: *\nCrawl-delay: soon\n", 0},
		{"Crawl-delay: 4\n", 0},
	}
	for _, tt := range tests {
		if got := Parse([]byte(tt.body), "foobot").CrawlDelay(); got != tt.want {
			t.Errorf("crawl-delay of %q = %v, want %v", tt.body, got, tt.want)
		}
	}
}

func TestSizeBound(t *testing.T) {
	head := "User-agent: *\nDisallow: /in\n"
	filler := strings.Repeat("#", MaxBody-len(head)-len("\nDisallow: /ou"))
	body := head + filler + "\nDisallow: /outside\nDisallow: /never\n"
	for path, allowed := range map[string]bool{"/in": false, "/outside": true, "/out": true, "/never": true} {
		if got := judge(body, path).Allowed; got != allowed {
			t.Errorf("%s allowed = %v, want %v", path, got, allowed)
		}
	}
}

// TestWork has as many patterns with a star as a URL may meet, and one more: what cannot be tried
// is not allowed. Those that cannot match the URL for what stands in front of their star cost
// nothing.
func TestWork(t *testing.T) {
	path := "/" + strings.Repeat("a", 1023)
	most := strings.Repeat("Disallow: /a*b\n", MaxWork/len(path))
	head := "User-agent: *\n" + strings.Repeat("Disallow: /b*long\n", 2000)
	for _, tt := range []struct {
		name, body string
		want       Verdict
	}{
		{"as many", head + most, Verdict{Allowed: true, Group: 1}},
		{"one more", head + most + "Disallow: /a*b", Verdict{Line: 2002 + MaxWork/len(path), Group: 1,
			Undecided: true}},
		{"one more, and one that is longer", head + most + "Disallow: /a*b\nAllow: /aaaa",
			Verdict{Allowed: true, Line: 2003 + MaxWork/len(path), Group: 1}},
	} {
		if got := judge(tt.body, path); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	exact := strings.Repeat("x", MaxBody)
	for body, want := range map[string]string{
		"a\nb": "a\nb", exact: exact, exact + "\n": "", "a\n" + exact: "a\n", "a\r" + exact: "a\r",
	} {
		if got := string(Clip([]byte(body))); got != want {
			t.Errorf("Clip(%d bytes, %.9q) = %d bytes, %.9q; want %d bytes", len(body), body, len(got), got, len(want))
		}
	}
}

func TestMeaningOf(t *testing.T) {
	for status, want := range map[int]Meaning{
		200: UseBody, 204: UseBody, 301: Follow, 308: Follow, 304: NotNow,
		400: AllowAll, 401: AllowAll, 403: AllowAll, 404: AllowAll, 410: AllowAll, 429: NotNow,
		500: NotNow, 503: NotNow, 599: NotNow, 100: NotNow, 999: NotNow, 0: NotNow,
	} {
		if got := MeaningOf(status); got != want {
			t.Errorf("MeaningOf(%d) = %v, want %v", status, got, want)
		}
	}
}

func TestToken(t *testing.T) {
	for agent, want := range map[string]string{
		"examplebot/1.0 (+https://example.org/bot)": "examplebot",
		"x4-bot_2": "x4-bot_2", "": "", "/1.0": "", "(bot)": "", "bötchen/1": "b",
	} {
		got, err := Token(agent)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("Token(%q) = %q, %v, want %q", agent, got, err, want)
		}
	}
}
