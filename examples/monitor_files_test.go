package examples

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// table are the expressions of the README's table.
func table(t *testing.T) (exprs []string) {
	for _, m := range regexp.MustCompile("(?m)\\| `(.+)` \\|$").FindAllStringSubmatch(read(t, "monitor/README.md"), -1) {
		exprs = append(exprs, m[1])
	}
	if len(exprs) < 5 {
		t.Errorf("the README has only %q", exprs)
	}
	return exprs
}

// dashboard are the expressions of the dashboard, with Grafana's variables filled in. Each panel
// has what Grafana needs to show it.
func dashboard(t *testing.T) (exprs []string) {
	t.Helper()
	type source struct{ Type, UID string }
	var d struct {
		Title, UID    string
		SchemaVersion int
		Panels        []struct {
			ID          int
			Type, Title string
			Datasource  source
			GridPos     struct{ X, Y, W, H int }
			Targets     []struct{ RefID, Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "monitor/dashboard.json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Title == "" || d.UID == "" || d.SchemaVersion == 0 || len(d.Panels) == 0 {
		t.Errorf("the dashboard lacks a title, a uid, its version or panels")
	}
	taken := map[[2]int]string{}
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if p.Type != "stat" && p.Type != "timeseries" || p.Title == "" || ids[p.ID] || len(p.Targets) == 0 ||
			p.Datasource != (source{"prometheus", "${source}"}) {
			t.Errorf("panel %q cannot be shown: %+v", p.Title, p)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x > 23 {
					t.Fatalf("panel %q lies over %q, or beyond the edge", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		for _, g := range p.Targets {
			if g.RefID == "" || g.LegendFormat == "" || !strings.Contains(g.Expr, `crawl=~"$crawl"`) {
				t.Errorf("panel %q does not go by the crawl that is chosen: %+v", p.Title, g)
			}
			exprs = append(exprs, strings.NewReplacer("$crawl", ".*", "$__rate_interval", "10m").Replace(g.Expr))
		}
	}
	return exprs
}
