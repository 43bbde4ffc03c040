package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/txlog/crash"
)

// A crawl whose log no start accepts is rebuilt, goes on, and holds what it held.
func TestRepair(t *testing.T) {
	long(t)
	for name, tc := range map[string]struct {
		damage func(g *ground)
		says   string
	}{
		"one bit of the last line": {func(g *ground) {
			g.rewrite(func(s string) string { return s[:len(s)-9] + string(s[len(s)-9]^1) + s[len(s)-8:] })
		}, "one bit had changed"},
		"one bit in the middle": {func(g *ground) {
			g.rewrite(func(s string) string { return strings.Replace(s, "commit", "commiu", 1) })
		}, "one bit had changed"},
		"the last line": {func(g *ground) {
			g.rewrite(func(s string) string { return s[:len(s)-9] + "####" + s[len(s)-5:] })
		}, "add " + groundBatch + ", 4 bytes, which lost transaction 2 wrote"},
		"an older log": {func(g *ground) {
			old := g.read("log")
			g.second()
			g.append()
			g.put("log", old)
		}, "log-000002.zst is the newest readable log"},
		"the last line, and far above it a name": {func(g *ground) { // of a batch that a peer may have
			g.rewrite(func(s string) string { return s[:len(s)-9] + "####" + s[len(s)-5:] })
			g.put("old/m-000050000000-00001.txt", "x")
		}, "add " + groundBatch},
		"no log": {func(g *ground) {
			g.append()
			g.remove("log")
		}, "log is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			g.done()
			tc.damage(g)
			g.run(crawl.ExitDamaged)
			before := g.everything()
			g.wants(g.verb("repair", crawl.ExitDone, "-n"), tc.says)
			if g.everything() != before {
				t.Error("-n has changed something")
			}
			g.wants(g.verb("repair", crawl.ExitDone), tc.says)
			g.run(crawl.ExitDone)
			g.wants(g.verb("log", crawl.ExitDone), "repaired")
			g.wants(g.verb("verify", crawl.ExitDone), "; damaged: 0")
			want := "one\n"
			if name == "an older log" {
				want += "two\n"
			}
			if got := g.content("b"); got != want {
				t.Errorf("queue b holds %q, want %q", got, want)
			}
			if s := g.state(); len(s.Segments("met")) != strings.Count(want, "\n") {
				t.Errorf("the state holds %v", s.Segments("met"))
			}
			g.wants(g.verb("repair", crawl.ExitDone), "the log is whole")
		})
	}
}

// A directory that is no crawl, or that has nothing left of one, is not repaired.
func TestNothingToRepairFrom(t *testing.T) {
	g := newGround(t)
	g.put("mine", "mine")
	g.wants(g.verb("repair", crawl.ExitDamaged), "nothing can be rebuilt")
	if text, err := os.ReadFile(g.path("crawl/mine")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

// A repair that is killed before any of its changes is made again, or was made, and the
// crawl holds the same.
func TestRepairKilled(t *testing.T) {
	bin := faulty.Dir(t)
	kills := 0
	for at := 1; ; at++ {
		g := newGround(t)
		g.done()
		g.rewrite(func(s string) string { return s[:len(s)-9] + "####" + s[len(s)-5:] })
		cmd := crash.Bounded(t, bin+"/manager", "repair", g.path("crawl.toml"))
		cmd.Env = append(os.Environ(), crash.KillAt+"="+strconv.Itoa(at), crash.KillMark+"="+g.path("killed"))
		if out, err := cmd.CombinedOutput(); err == nil {
			break
		} else if _, err2 := os.Stat(g.path("killed")); err2 != nil {
			t.Fatalf("%v, and it was not killed; it said\n%s", err, out)
		}
		kills++
		g.verb("repair", crawl.ExitDone)
		g.run(crawl.ExitDone)
		if got, s := g.content("b"), g.state(); got != "one\n" || len(s.Files()) != 2 || len(s.Segments("met")) != 1 {
			t.Errorf("killed before change %d: queue b holds %q, the log %v", at, got, s.Files())
		}
		g.wants(g.verb("verify", crawl.ExitDone), "; damaged: 0")
	}
	if t.Logf("%d kills fired", kills); kills < 10 {
		t.Errorf("only %d kills fired", kills)
	}
}
