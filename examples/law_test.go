package examples

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/txlog/crash"
)

// A URL that is lost on the way is seen three times: by the stage itself, by the
// manager, and by the sum over the whole history. Each of them is taken away in
// turn, and the next turns red.
func TestLostURLIsSeen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		defects []string
		code    int
		said    string
	}{
		{"by the stage", []string{"url-lost"}, 1, "accounted for by reasons: 1 are missing"},
		{"by the manager", []string{"url-lost", "report-unchecked"}, 1, "by its report "},
		{"by the sum", []string{"url-lost", "report-unchecked", "accounts-unread"}, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := tourBench(t, faulty.Dir(t))
			// A stage that fails five times in a row would rest for minutes.
			b.env = crash.Failpoints(t, append(tc.defects, "short-rests")...)
			const filter = "[stage.filter]"
			b.write(b.script, strings.Replace(b.read(b.script), filter,
				filter+"\nenv = [\"MULTITEXT_FAILPOINTS\"]\nretry = 0\n#", 1))
			said := b.run(tc.code)
			if !strings.Contains(said, tc.said) {
				t.Errorf("it did not say %q but\n%s", tc.said, said)
			}
			if _, err := b.law(); tc.code == 0 && err == nil {
				t.Error("the sum over all transactions does not see that a URL was lost")
			} else if tc.code == 0 {
				t.Logf("seen by the sum: %v", err)
			}
		})
	}
}

// A crawl with a host that is dead, and one whose robots.txt says "not now" for a
// while, comes to its end: the one's URLs are given up when patience with it is at
// its end, and with a reason; the other's are fetched.
func TestDeadHostAndRobotsNotNow(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
		"-hosts 20 -pages 100", "-hosts 4 -pages 20 -dead h001.test -robots-503 h002.test=20s -stats stats.json",
		"resolve -agent", "resolve -patience 30s -agent")
	start := time.Now()
	b.run(0)
	if took := time.Since(start); took < 30*time.Second {
		t.Errorf("it ended after %s, before patience with the dead host was at its end", took)
	}
	hosts := map[string]int{}
	for url := range readArchive(t, b.path("crawl/archive")).answers {
		hosts[strings.Split(url, "/")[2]]++
	}
	if hosts["h001.test"] != 0 || hosts["h002.test"] < 20 || hosts["h000.test"] < 20 || hosts["h003.test"] < 20 {
		t.Errorf("answers by host: %v; want none of the dead one and all of the others", hosts)
	}
	refused := b.urls("refused")
	for url, why := range refused {
		if strings.Contains(url, "//h001.test/") && why != "no-answer" {
			t.Errorf("%s was given up with the reason %q, want that it gives no answer", url, why)
		}
	}
	if n := strings.Count(strings.Join(keys(refused), "\n"), "//h001.test/"); n < 2 {
		t.Errorf("%d URLs of the dead host were given up, want all that were linked", n)
	}
	b.settled()
}

// recordsOf are the records in the batches of a queue, in the order of their transactions: of each
// its URL and its attributes.
func (b *bench) recordsOf(queue string) (all [][]string) {
	b.t.Helper()
	files, err := filepath.Glob(b.crawlPath(queue + "/*"))
	if err != nil {
		b.t.Fatal(err)
	}
	return b.recordsIn(files...)
}

// recordsIn are the records of batches.
func (b *bench) recordsIn(files ...string) (all [][]string) {
	b.t.Helper()
	if len(files) == 0 {
		return nil
	}
	for line := range strings.Lines(b.output(filepath.Join(b.bin, "manager"), append([]string{"cat"}, files...)...)) {
		all = append(all, strings.Split(strings.TrimSpace(line), "\t"))
	}
	return all
}

// urls are the URLs in the batches of a queue, with their reason.
func (b *bench) urls(queue string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for _, fields := range b.recordsOf(queue) {
		reason := ""
		for _, f := range fields[1:] {
			if r, ok := strings.CutPrefix(f, "reason="); ok {
				reason = r
			}
		}
		out[fields[0]] = reason
	}
	return out
}

func keys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}
