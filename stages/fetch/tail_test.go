package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/traffic/polite"
)

func TestTailCuts(t *testing.T) {
	start := time.Now()
	for _, tt := range []struct {
		after, at   time.Duration
		left, hosts int
		want        bool
	}{
		{30 * time.Second, 30 * time.Second, 49, 100, true},
		{30 * time.Second, 30 * time.Second, 50, 100, false},
		{30 * time.Second, 29 * time.Second, 1, 100, false},
		{30 * time.Second, time.Hour, 1, 3, true},
		{30 * time.Second, time.Hour, 1, 2, false},
		{0, time.Hour, 1, 100, false},
	} {
		if got := (tail{start: start, after: tt.after}).cuts(start.Add(tt.at), tt.left, tt.hosts); got != tt.want {
			t.Errorf("tail of %v, after %v, %d of %d hosts left: %v, want %v", tt.after, tt.at, tt.left, tt.hosts,
				got, tt.want)
		}
	}
}

func TestNewTail(t *testing.T) {
	for _, tt := range []struct {
		times float64
		delay time.Duration
		want  time.Duration
	}{
		{10, time.Second, 12 * time.Second}, {0.5, 100 * time.Millisecond, 150 * time.Millisecond},
		{10, 0, 2 * time.Second}, {0, time.Hour, 0},
	} {
		if got := newTail(time.Now(), tt.times, tt.delay).after; got != tt.want {
			t.Errorf("%v times, a delay of %v: looked at after %v, want %v", tt.times, tt.delay, got, tt.want)
		}
	}
}

// TestTailWaitsForNoHeldHost holds that a host which the last run found slow, and which is to be
// left alone for longer than the others take, does not hold this one.
func TestTailWaitsForNoHeldHost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "slow.test" {
			time.Sleep(200 * time.Millisecond)
		}
		fmt.Fprint(w, "hello")
	})
	dir := t.TempDir()
	slow := []string{"-tail", "5", "-delay", "1ms", "-slowness", "300", "-max-delay", "1h", "-for", "5h", "-load",
		dir + "/list"}
	first := fetch(t, s.line("slow.test", "/"), append(slow, "-new", dir+"/load")...)
	first.conserved(t, 1)
	write(t, dir+"/list", dir+"/load\n")
	var lines strings.Builder
	lines.WriteString(s.quick(5, "/"))
	lines.WriteString(s.line("slow.test", "/1"))
	start := time.Now()
	res := fetch(t, lines.String(), slow...)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the run took %v: it waited for a host that is held for a minute", took)
	}
	res.conserved(t, 6)
	res.check(t, "http://quick0.test/", "pages", 0, "")
	res.check(t, "http://slow.test/1", "again", 0, "")
	if !strings.Contains(res.report, "\nlater ") {
		t.Errorf("the URL of a held host is due at once:\n%s", res.report)
	}
}

// TestTailIsForTurns holds that a run is cut where it waits for a turn, and not where one has come
// and the rate leaves it no room.
func TestTailIsForTurns(t *testing.T) {
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	s := polite.New[*target](polite.Limits{Start: start, Deadline: at(100), Delay: 5 * time.Second})
	for i := range 2 {
		s.Add("a.test", netip.Addr{}, 0, &target{url: fmt.Sprint("http://a.test/", i)})
	}
	r := &round{schedule: s, hosts: 3, tail: newTail(start, 5, 0)}
	first, _ := s.Next(at(5))
	s.Done(first, at(5), 0)
	if again := r.lookAgain(at(10), at(11)); !again.Equal(at(11)) {
		t.Errorf("where a turn has come, to look again at %v, want %v", again, at(11))
	}
	if _, again := s.Next(at(9)); !again.Equal(at(10)) {
		t.Errorf("the turn that has come was cut")
	}
	if again := r.lookAgain(at(9), at(10)); !again.IsZero() {
		t.Errorf("where a turn is to come, it is waited for, to %v", again)
	}
	if second, again := s.Next(at(10)); second != nil || !again.IsZero() {
		t.Errorf("the turn that is to come was not cut")
	}
}

// TestTailGoesToAgain holds that a run does not wait for the URLs of one slow host of many, and
// loses none of them, nor a try.
func TestTailGoesToAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	var lines strings.Builder
	lines.WriteString(s.quick(20, "/"))
	for i := range 100 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/", i), "delay=300"))
	}
	res := fetch(t, lines.String(), "-tail", "5", "-for", "1h")
	res.conserved(t, 120)
	for i := range 20 {
		res.check(t, fmt.Sprintf("http://quick%d.test/", i), "pages", 0, "")
	}
	res.check(t, "http://slow.test/0", "pages", 0, "")
	res.check(t, "http://slow.test/99", "again", 0, "")
	if !strings.Contains(res.report, "\ncount not-started ") || strings.Contains(res.report, "\nlater ") {
		t.Errorf("want URLs that were not started and are due at once in\n%s", res.report)
	}
}

// TestTailWaitsForFirstTurns holds that a host with a long delay is asked in each run, however soon
// that has nothing else to do.
func TestTailWaitsForFirstTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, faults)
	var lines strings.Builder
	lines.WriteString(s.quick(20, "/ok"))
	for i := range 3 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/ok?", i), "delay=1500"))
	}
	res := fetch(t, lines.String(), "-tail", "0.1", "-for", "1h")
	res.conserved(t, 23)
	res.check(t, "http://slow.test/ok?0", "pages", 0, "")
	res.check(t, "http://slow.test/ok?2", "again", 0, "")
}

// TestTailWaitsForNoTurn holds that a run ends when -tail has come, not when the turn does that it
// does not use.
func TestTailWaitsForNoTurn(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "slow.test" {
			time.Sleep(50 * time.Millisecond)
		}
		fmt.Fprint(w, "hello")
	})
	var lines strings.Builder
	lines.WriteString(s.quick(20, "/"))
	for i := range 3 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/", i), "delay=1"))
	}
	start := time.Now()
	res := fetch(t, lines.String(), "-tail", "5", "-for", "1h", "-slowness", "1e6", "-max-delay", "60s")
	if took := time.Since(start); took > 40*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 23)
	res.check(t, "http://slow.test/0", "pages", 0, "")
	res.check(t, "http://slow.test/1", "again", 0, "")
}

// TestTailWaitsForNextAddress holds that a host whose first address is dead is asked at the next
// one, however soon the run has nothing else to do: the next run would begin with the dead one
// again, and so on for ever.
func TestTailWaitsForNextAddress(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, faults)
	var lines strings.Builder
	lines.WriteString(s.quick(20, "/ok"))
	dead := closedPort(t)
	for _, url := range []string{"few.test/ok", "more.test/ok?0", "more.test/ok?1", "more.test/ok?2"} {
		fmt.Fprintf(&lines, "http://%s\tdelay=700\taddr=%s,%s\n", url, dead, s.Listener.Addr())
	}
	res := fetch(t, lines.String(), "-tail", "0.1", "-for", "1h")
	res.conserved(t, 24)
	res.check(t, "http://few.test/ok", "pages", 0, "")
	res.check(t, "http://more.test/ok?0", "pages", 0, "")
	res.check(t, "http://more.test/ok?2", "again", 0, "")
}

// drips answers quick hosts at once, and others with a byte of a body, or of a head, each 100 ms.
func drips(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.Host, "quick") {
		fmt.Fprint(w, "hello")
		return
	}
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer c.Close()
	text := "HTTP/1.1 200 OK\r\nX: "
	if r.URL.Path == "/body" {
		text = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
	}
	for err == nil {
		_, err = c.Write([]byte(text))
		text = "x"
		time.Sleep(100 * time.Millisecond)
	}
}

// dripsLater answers the first page of each host at once, and drips for others.
func dripsLater(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		fmt.Fprint(w, "hello")
		return
	}
	drips(w, r)
}

// TestTailCutsWhatDrips holds that a run does not wait for what drips when all others are through,
// and that the URL has its tries all the same; after the last the page is kept, marked as cut by
// time.
func TestTailCutsWhatDrips(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, drips)
	lines := s.line("drip.test", "/body") + s.line("drip2.test", "/body", "tries=2") + s.line("drip3.test", "/head")
	lines += s.quick(10, "/")
	start := time.Now()
	res := fetch(t, lines, "-tail", "5", "-delay", "1ms", "-timeout", "24s", "-page-timeout", "2m")
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 13)
	res.check(t, "http://quick0.test/", "pages", 0, "")
	res.check(t, "http://drip.test/body", "again", 1, "")
	res.check(t, "http://drip2.test/body", "pages", 2, "")
	res.check(t, "http://drip3.test/head", "again", 1, "")
	for _, want := range []string{"count broken-off 1", "count truncated-time 1", "count head-timeout 1"} {
		if !strings.Contains(res.report, want+"\n") {
			t.Errorf("want %q in\n%s", want, res.report)
		}
	}
}

// TestTailCutsWhatDripsLater holds that what drips is cut, too, while the turns come of URLs that
// the run starts no more.
func TestTailCutsWhatDripsLater(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, dripsLater)
	lines := s.line("drip.test", "/") + s.line("drip.test", "/body") + s.quick(10, "/")
	for i := range 4 {
		lines += s.line("slow.test", fmt.Sprint("/?", i), "delay=1500")
	}
	start := time.Now()
	res := fetch(t, lines, "-tail", "5", "-delay", "1ms", "-timeout", "24s", "-page-timeout", "2m")
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 16)
	res.check(t, "http://drip.test/body", "again", 1, "")
	res.check(t, "http://slow.test/?0", "pages", 0, "")
	res.check(t, "http://slow.test/?3", "again", 0, "")
}

// TestLanesAreNotFilledByDrips holds that hosts which drip do not keep the others from the lanes,
// and that no answer is cut where -least-rate is 0.
func TestLanesAreNotFilledByDrips(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, drips)
	lines := s.line("drip.test", "/body") + s.line("drip2.test", "/body")
	lines += s.quick(10, "/")
	// Where one drip is cut an instant before the other, the other holds no lane that anybody waits for: the
	// tail cuts it.
	args := []string{"-connections", "2", "-delay", "1ms", "-timeout", "3s", "-page-timeout", "2m", "-for", "1m",
		"-tail", "10"}
	start := time.Now()
	res := fetch(t, lines, args...)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.check(t, "http://quick9.test/", "pages", 0, "")
	res.check(t, "http://drip.test/body", "again", 1, "")
	res = fetch(t, lines, append(args, "-least-rate", "0", "-page-timeout", "4s")...)
	res.check(t, "http://drip.test/body", "again", 1, "")
	if strings.Contains(res.report, "head-timeout") || time.Since(start) < 4*time.Second {
		t.Errorf("without a least rate:\n%s", res.report)
	}
}

// TestOneHostIsGivenItsTime holds that a slow answer is waited for where hardly anybody else waits
// for the end of the run.
func TestOneHostIsGivenItsTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(4 * time.Second)
		fmt.Fprint(w, "hello")
	})
	res := fetch(t, s.line("slow.test", "/"), "-tail", "1", "-delay", "1ms", "-timeout", "9s")
	res.check(t, "http://slow.test/", "pages", 0, "")
}

// TestShort holds when a short run may end: some time after its start, when most hosts are done, and only
// if no request has ended for a while.
func TestShort(t *testing.T) {
	start := time.Now()
	tail := newTail(start, 10, 300*time.Millisecond)
	tail.shorten(200*time.Millisecond, 300*time.Millisecond)
	for _, c := range []struct {
		now, last   time.Duration
		left, hosts int
		want        bool
	}{
		{1200, 600, 4, 10, true},
		{1100, 100, 4, 10, false}, // 200 ms and two runs of 500 ms have not passed
		{1200, 800, 4, 10, false}, // the last request ended 400 ms ago
		{9000, 8600, 4, 10, false},
		{1200, 600, 5, 10, false},
		{1200, 600, 0, 1, false},
	} {
		now, last := start.Add(c.now*time.Millisecond), start.Add(c.last*time.Millisecond)
		if got := tail.endsShort(now, last, c.left, c.hosts); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		if next := tail.look(now, last, time.Time{}); !c.want && c.left < c.hosts/2 && !next.After(now) {
			t.Errorf("%+v: looks again after %v", c, next.Sub(now))
		}
	}
}

// TestEndsShort holds that with -visits a run that needs little time does not wait for what drips,
// that the URL loses no try by that, and that the next run, which knows it, does wait.
func TestEndsShort(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, drips)
	args := []string{"-tail", "500", "-delay", "1ms", "-timeout", "18s", "-page-timeout", "2m"}
	lines := s.line("drip.test", "/body") + s.line("drip.test", "/2") + s.line("drip3.test", "/head") + s.quick(10, "/")
	start := time.Now()
	res, of, _ := fetchVisits(t, lines, args...)
	if took := time.Since(start); took < leastShort || took > 5*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 13)
	for _, url := range []string{"http://drip.test/body", "http://drip.test/2", "http://drip3.test/head"} {
		res.check(t, url, "again", 0, "")
		if res.record[url].Int(urlbatch.Cut) != 1 {
			t.Errorf("%s is not marked: %s", url, res.record[url].Line())
		}
	}
	if v := of["drip3.test"]; v.Asked != 1 || v.Answered != 0 || v.Unreached != cutShort {
		t.Errorf("visit %+v", v)
	}
	res, _, _ = fetchVisits(t, s.line("drip.test", "/body", "cut=1", "back=1")+s.quick(10, "/"),
		append(args, "-tail", "50")...)
	if took := time.Since(start); took < 9*time.Second {
		t.Errorf("both runs took %v", took)
	}
	res.check(t, "http://drip.test/body", "again", 1, "")
	if rec := res.record["http://drip.test/body"]; rec.Int(urlbatch.Back) != 0 {
		t.Errorf("it was tried, and goes before others: %s", rec.Line())
	}
}

// TestEndsShortAfterAnswers holds that the end of a short run marks no more of a host that has answered
// than the URL it waits for: the others come back as they were, and before others like them.
func TestEndsShortAfterAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, dripsLater)
	lines := s.quick(10, "/")
	for _, path := range []string{"/", "/body", "/2", "/3"} {
		lines += s.line("drip.test", path)
	}
	res, _, _ := fetchVisits(t, lines, "-tail", "500", "-delay", "1ms", "-timeout", "18s", "-page-timeout", "2m")
	res.conserved(t, 14)
	res.check(t, "http://drip.test/", "pages", 0, "")
	for url, cut := range map[string]int64{"/body": 1, "/2": 0, "/3": 0} {
		url = "http://drip.test" + url
		res.check(t, url, "again", 0, "")
		if rec := res.record[url]; rec.Int(urlbatch.Cut) != cut || rec.Int(urlbatch.Back) != 1 {
			t.Errorf("want cut=%d and back=1: %s", cut, rec.Line())
		}
	}
}

// TestTailLeavesLongDelay holds that with -visits a run does not wait for the first turn of a host with a
// long crawl-delay; that its URLs lose no try, and alone are marked; and that a run does wait for them
// when they are.
func TestTailLeavesLongDelay(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "slow.test" {
			time.Sleep(50 * time.Millisecond)
		}
		fmt.Fprint(w, "hello")
	})
	args := []string{"-tail", "4", "-delay", "1ms", "-for", "1h", "-slowness", "1e6", "-max-delay", "1m"}
	lines := s.line("far.test", "/", "delay=60000") + s.line("far.test", "/2", "delay=60000") +
		s.line("slow.test", "/") +
		s.line("slow.test", "/2") + s.quick(5, "/")
	start := time.Now()
	res, of, _ := fetchVisits(t, lines, args...)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 9)
	for url, cut := range map[string]int64{"http://far.test/": 1, "http://far.test/2": 1, "http://slow.test/2": 0} {
		res.check(t, url, "again", 0, "")
		if got := res.record[url].Int(urlbatch.Cut); got != cut {
			t.Errorf("%s has cut=%d, want %d", url, got, cut)
		}
	}
	if v := of["far.test"]; v.Asked != 0 || v.Pause != time.Minute {
		t.Errorf("visit %+v", v)
	}
	res, _, _ = fetchVisits(t, s.line("far.test", "/", "delay=3000", "cut=1")+s.quick(5, "/"), args...)
	res.check(t, "http://far.test/", "pages", 0, "")
}

// TestEndsShortOfTwo holds that a short run of two hosts does not wait for the one that is slow.
func TestEndsShortOfTwo(t *testing.T) {
	start := time.Now()
	short := tail{start: start, after: time.Minute, short: 5 * time.Second, idle: time.Second}
	for _, tt := range []struct {
		at          time.Duration
		left, hosts int
		want        bool
	}{
		{5 * time.Second, 1, 2, true}, {4 * time.Second, 1, 2, false}, {5 * time.Second, 2, 2, false},
		{5 * time.Second, 1, 1, false}, {5 * time.Second, 1, 3, true}, {5 * time.Second, 2, 4, false},
	} {
		if got := short.endsShort(start.Add(tt.at), start, tt.left, tt.hosts); got != tt.want {
			t.Errorf("after %v, %d of %d hosts left: %v, want %v", tt.at, tt.left, tt.hosts, got, tt.want)
		}
	}
}

// TestStuck holds that with -visits a run of which all connections are taken by what does not answer gives
// that back, and goes on with the other hosts.
func TestStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, drips)
	lines := ""
	for i := range 8 {
		lines += s.line(fmt.Sprintf("drip%d.test", i), "/head") + s.line(fmt.Sprintf("drip%d.test", i), "/head?2")
	}
	lines += s.line("quick.test", "/")
	start := time.Now()
	res, _, _ := fetchVisits(t, lines, "-tail", "10", "-connections", "4", "-per-address-connections", "0",
		"-address-delay", "0s", "-delay", "1ms", "-timeout", "60s",
		"-page-timeout", "2m")
	if took := time.Since(start); took < leastStuck || took > 30*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 17)
	res.check(t, "http://quick.test/", "pages", 0, "")
	cut := 0
	for _, rec := range res.record {
		cut += int(rec.Int(urlbatch.Cut))
	}
	if cut != 8 {
		t.Errorf("%d URLs are marked, want the 8 whose requests were cut", cut)
	}
}
