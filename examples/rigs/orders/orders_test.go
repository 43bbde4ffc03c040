package main

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/web"
)

// quick is a lab with the parameters of the file, made small.
func quick(t *testing.T) *lab {
	t.Helper()
	l := &lab{}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	l.Batches, l.Draws = []int{1, 100}, 2
	return l
}

// advising is a lab with the program advise, and small parameters.
func advising(t *testing.T) *lab {
	t.Helper()
	l := quick(t)
	l.bin = t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(l.bin, "advise"), "multitext/stages/advise").CombinedOutput()
	if err != nil {
		t.Fatalf("build advise: %v\n%s", err, out)
	}
	return l
}

// hubs is a Web of 1,000 pages with ten links each, of which two lead to one of 50 pages, and the
// others to any. A page of a second host, to which no link leads, is not reached from the first.
func hubs() *web.Web {
	random, w := rand.New(rand.NewPCG(3, 4)), &web.Web{}
	for i := range 1000 {
		p := web.Page{Host: "a.test", Status: 200}
		for k := range 10 {
			to := random.IntN(1000)
			if k < 2 {
				to = random.IntN(50) * 20
			}
			if to != i && !slices.Contains(p.Links, to) {
				p.Links = append(p.Links, to)
			}
		}
		w.Pages = append(w.Pages, p)
	}
	w.Pages = append(w.Pages, web.Page{Host: "a.test", Status: 200})
	return w
}

// TestOrders: hubs are found first by those that count links, and later by chance; curves go
// from 0 to all.
func TestOrders(t *testing.T) {
	l := advising(t)
	dir := resultstest.Write(t, func(c *results.Chapter) error {
		return l.over(c, func(l *lab, c *results.Chapter) error { return l.inOrders(c, "hubs", hubs()) })
	})
	found, price := resultstest.Read(t, dir, "orders-hubs"), resultstest.Read(t, dir, "orders-hubs-batches")
	at := func(order string) float64 { return found.Number("at 25 %", "5", order) }
	if at("backlink") < 90 || at("oracle") < 99 || at("random") > 75 {
		t.Errorf("found at 25 %%: backlink %.1f, oracle %.1f, random %.1f", at("backlink"), at("oracle"), at("random"))
	}
	if reached := found.Number("reached %", "5", "oracle"); reached < 99 || reached == 100 {
		t.Errorf("%.1f %% are reached; one page of 1001 is not", reached)
	}
	if one, many := price.Number("1", "oracle"), price.Number("100", "oracle"); one > many {
		t.Errorf("half of the hubs are found at %.1f %% in batches of 1, at %.1f %% in batches of 100", one, many)
	}
	a, err := l.adviser(hubs(), []int{0})
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	all, err := a.curves(10, []float64{5, 20})
	if err != nil || len(all) != 2*8 || len(all.of(20)) != 8 {
		t.Fatalf("%d curves, of them %d of 20 %%, %v", len(all), len(all.of(20)), err)
	}
	for _, c := range all {
		if len(c.found) != 101 || c.found[0] != 0 || c.found[100] != 100 || !slices.IsSorted(c.found) {
			t.Errorf("%s: %v", c.order, c.found)
		}
	}
}

// TestOrderSeeds: there is one of each host where there are more hosts than seeds.
func TestOrderSeeds(t *testing.T) {
	l, w := quick(t), hubs()
	if n := len(l.orderSeeds(w, rand.New(rand.NewPCG(1, 1)))); n != l.Seeds {
		t.Errorf("%d seeds of one host, want %d", n, l.Seeds)
	}
	hosts := map[string]bool{}
	for i := range w.Pages {
		w.Pages[i].Host = string(rune('a'+i%20)) + ".test"
	}
	for _, page := range l.orderSeeds(w, rand.New(rand.NewPCG(1, 1))) {
		hosts[w.Pages[page].Host] = true
	}
	if len(hosts) != 20 {
		t.Errorf("seeds of %d hosts, want 20", len(hosts))
	}
}
