package examples

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// A Prometheus watches the tour from its start to its end. Then it has the figures that manager
// status -json prints, and no others; every expression of the dashboard and of the README finds
// something in them; and every rule can be evaluated.
func TestMonitorWatchesTheTour(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	p := b.watched(onPath(t, "prometheus"))
	b.run(0)
	p.until(`multitext_crawl_done == 1 and multitext_manager_running == 0`)
	if got := p.ask(`max_over_time(multitext_manager_running[10m])`); len(got) != 1 || got[0].n() != 1 {
		t.Errorf("that a manager ran was seen as %v", got)
	}
	want := b.figures()
	for _, s := range p.ask(`{__name__=~"multitext_.*", __name__!~".*timestamp.*|.*disk.*"}`) {
		name := s.name()
		if n, there := want[name]; !there || n != s.n() {
			t.Errorf("%s is %v, and %v (%v) according to manager status -json", name, s.n(), n, there)
		}
		delete(want, name)
	}
	for name, n := range want {
		t.Errorf("Prometheus has no %s, which is %v", name, n)
	}
	for _, expr := range append(dashboard(t), table(t)...) {
		if len(p.ask(expr)) == 0 {
			t.Errorf("%s finds nothing", expr)
		}
	}
	if got := p.ask(`multitext_disk_limit_bytes > 0 and multitext_disk_free_bytes > 0`); len(got) != 1 {
		t.Errorf("the limit of the disk is %v", got)
	}
	p.soundRules()
}

// promtool finds no fault in the configuration, in the rules and in what they should do.
func TestMonitorFiles(t *testing.T) {
	promtool := onPath(t, "promtool")
	for _, args := range [][]string{{"check", "config", "prometheus.yml"}, {"test", "rules", "rules_test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "monitor"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
	rules, tests := read(t, "monitor/rules.yml"), read(t, "monitor/rules_test.yml")
	for _, rule := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(rules, -1) {
		if !regexp.MustCompile(`alertname: ` + rule[1] + `\n\s+exp_alerts:`).MatchString(tests) {
			t.Errorf("there is no test in which %s fires", rule[1])
		}
	}
}

// onPath is the path of a program that the test needs.
func onPath(t *testing.T, program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("no %s here; Debian has it in the package prometheus", program)
	}
	return path
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// figures are what Prometheus should have of the crawl, but for times and the disk: each metric
// with its labels, in the order of the alphabet.
func (b *bench) figures() map[string]float64 {
	b.t.Helper()
	var s struct {
		Transactions float64
		Left         float64 `json:"left_seconds"`
		Stages       []struct {
			Name, State                                          string
			Running                                              []any
			Ready, Held, Aside, Waiting, Runs, Failures, Records float64
			CPU                                                  float64 `json:"cpu_seconds"`
			Memory                                               float64 `json:"peak_memory"`
			Reasons, Counts                                      map[string]float64
		}
		Queues []struct {
			Name                              string
			Batches, Bytes, Owed, Held, Aside float64
			Ever                              struct{ Batches, Records, Bytes float64 }
		}
	}
	if err := json.Unmarshal([]byte(b.statusText()), &s); err != nil {
		b.t.Fatal(err)
	}
	all := map[string]float64{"crawl_readable": 1, "manager_running": 0, "crawl_done": 1, "crawl_limit_reached": 0,
		"transactions_total": s.Transactions, "left_seconds": s.Left}
	for _, st := range s.Stages {
		for name, n := range map[string]float64{"running": float64(len(st.Running)), "resting": 0,
			"read_records_total": st.Records, "cpu_seconds_total": st.CPU, "peak_memory_bytes": st.Memory,
			"waiting_records": st.Waiting} {
			all[fmt.Sprintf("stage_%s stage=%s", name, st.Name)] = n
		}
		for state, n := range map[string]float64{"ready": st.Ready, "held": st.Held, "aside": st.Aside} {
			all[fmt.Sprintf("stage_batches stage=%s state=%s", st.Name, state)] = n
		}
		all["stage_runs_total result=commit stage="+st.Name] = st.Runs
		all["stage_runs_total result=failure stage="+st.Name] = st.Failures
		for name, n := range st.Reasons {
			all[fmt.Sprintf("stage_dropped_records_total reason=%s stage=%s", name, st.Name)] = n
		}
		for name, n := range st.Counts {
			all[fmt.Sprintf("stage_reported name=%s stage=%s", name, st.Name)] = n
		}
	}
	for _, q := range s.Queues {
		for name, n := range map[string]float64{"batches": q.Batches, "bytes": q.Bytes, "owed_batches": q.Owed,
			"held_batches": q.Held, "aside_batches": q.Aside, "committed_batches_total": q.Ever.Batches,
			"committed_records_total": q.Ever.Records, "committed_bytes_total": q.Ever.Bytes} {
			all[fmt.Sprintf("queue_%s queue=%s", name, q.Name)] = n
		}
	}
	return all
}
