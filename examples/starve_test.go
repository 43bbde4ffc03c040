package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"multitext/txlog/crash"
)

// TestStarve is a short sample of what starve measures: ten healthy hosts have, beside one that
// would take the time of the crawl, nearly as many pages as alone. (To meet 33 hosts that drip takes
// four seconds of so short a crawl.) All crawls are made at the same time, so what else the machine
// does takes of each. Two that are unfair have no more than half: a frontier that gives a host as
// many URLs as it has, and a plain queue: no share of a host in a batch, and a fetch that waits for
// the last host of its batch.
func TestStarve(t *testing.T) {
	t.Parallel()
	crawls := []*starved{
		{what: "a frontier", rows: []string{"alone", "large", "seeds"}},
		{what: "a frontier without a pace", rows: []string{"large"}, bin: faulty.Dir(t),
			env: crash.Failpoints(t, "hosts-unpaced"), change: []string{"[stage.frontier]",
				"[stage.frontier]\nenv = [\"MULTITEXT_FAILPOINTS\"]"}},
		{what: "a plain queue", rows: []string{"large"}, queue: true, change: []string{"batch -out",
			"batch -per-host 0 -out", "fetch -agent", "fetch -tail 0 -agent"}},
	}
	var all sync.WaitGroup
	for _, c := range crawls {
		c.prepare(t)
		all.Go(func() { c.run(t) })
	}
	all.Wait()
	alone := crawls[0].pages["alone"]
	if alone < 200 {
		t.Fatalf("alone the healthy hosts have %d pages: too few to show anything", alone)
	}
	least := map[string]int{"alone": 100, "large": 75, "seeds": 55}
	for i, c := range crawls {
		for _, row := range c.rows {
			share := 100 * c.pages[row] / alone
			t.Logf("%s, %s: %d pages, %d %%", c.what, row, c.pages[row], share)
			switch {
			case i == 0 && share < least[row]:
				t.Errorf("%s: beside %s the others have %d %% of their pages, want %d", c.what, row, share, least[row])
			case i > 0 && share > 50:
				t.Errorf("%s: beside %s the others have %d %% of their pages: no defect is seen", c.what, row, share)
			}
		}
	}
}

// A starved is what starve measures by one script.
type starved struct {
	what   string
	rows   []string
	queue  bool     // scramble and batch in the place of frontier
	change []string // of the script: old, new, old, new
	bin    string   // folder of the programs that crawl; "": those of all tests
	env    string

	script, dir string
	pages       map[string]int // of the healthy hosts, by row
}

// prepare writes the script.
func (s *starved) prepare(t *testing.T) {
	t.Helper()
	s.dir, s.pages = t.TempDir(), map[string]int{}
	if s.change == nil {
		return
	}
	said, err := exec.Command(filepath.Join(programs(t), "starve"), "-print", fmt.Sprint("-queue=", s.queue)).Output()
	if err != nil {
		t.Fatal(err)
	}
	text := string(said)
	for i := 0; i < len(s.change); i += 2 {
		if !strings.Contains(text, s.change[i]) {
			t.Fatalf("the script of %s does not hold %q", s.what, s.change[i])
		}
		text = strings.ReplaceAll(text, s.change[i], s.change[i+1])
	}
	s.script = filepath.Join(s.dir, "crawl.toml")
	if err := os.WriteFile(s.script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run has starve measure the rows.
func (s *starved) run(t *testing.T) {
	args := []string{"-for", "30s", "-hosts", "10", "-faster", "5", "-together", "-dir", s.dir, "-rows",
		strings.Join(s.rows, ",")}
	if s.script != "" {
		args = append(args, "-script", s.script)
	}
	if s.bin != "" {
		args = append(args, "-bin", s.bin)
	}
	cmd := exec.Command(filepath.Join(programs(t), "starve"), args...)
	cmd.Env = append(os.Environ(), s.env)
	said, err := cmd.CombinedOutput()
	for _, row := range s.rows {
		line := regexp.MustCompile(`(?m)^` + row + ` +(\d+) `).FindSubmatch(said)
		if err != nil || line == nil {
			t.Errorf("%s, %s: %v\n%s", s.what, row, err, said)
			return
		}
		s.pages[row], _ = strconv.Atoi(string(line[1]))
	}
}
