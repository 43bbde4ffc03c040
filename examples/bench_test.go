package examples

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
)

// BenchmarkTour is the tour over 20,000 pages on 100 hosts with politeness off,
// the web on the same machine:
//
//	go test ./examples -run '^$' -bench Tour -benchtime 1x
//
// cpu-s/1000 is of all processes of the crawl, the manager included and the web
// not; MB-largest is the peak resident memory of the largest of them.
func BenchmarkTour(b *testing.B) {
	bin := programs(b)
	for b.Loop() {
		r := newBench(b, bin, "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
			"-delay 20ms", "-delay 0s -connections 128", "-urls 400 -per-host 100", "-urls 2000 -per-host 0")
		r.ownWeb("-hosts", "100", "-pages", "200")
		cmd, said := r.manager("run")
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
		wall := time.Since(start)
		state := r.state()
		pages := float64(state.Stages["extract"].Records)
		// wait4 gives the manager's own use and that of all it waited for, in one.
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		largest := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
		b.ReportMetric(pages, "answers")
		b.ReportMetric(pages/wall.Seconds(), "answers/s")
		b.ReportMetric(cpu.Seconds()/pages*1000, "cpu-s/1000")
		b.ReportMetric(float64(largest)/1e6, "MB-largest")
		b.ReportMetric(float64(transactions(r)), "transactions")
		for _, line := range strings.Split(said.String(), "\n") {
			if strings.Contains(line, "MB") || strings.Contains(line, "CPU") {
				b.Log(line)
			}
		}
	}
}

func transactions(r *bench) (n int) {
	r.records(func(txlog.Record) { n++ })
	return n
}
