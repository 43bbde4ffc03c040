package metrics

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"multitext/manager/internal/sched"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
)

// families is the table of all metrics.
func families() []family {
	const total, gauge = prometheus.CounterValue, prometheus.GaugeValue
	readable := ofCrawl("crawl_readable", gauge, "Whether the log of the crawl could be read.", func(*figures) float64 { return 1 })
	readable.readable = true
	return []family{
		readable,
		ofCrawl("manager_running", gauge, "Whether a manager runs the crawl.",
			func(f *figures) float64 { return truth(f.Manager != nil) }),
		ofCrawl("crawl_done", gauge, "Whether nothing is left to do in the crawl.", done),
		ofCrawl("crawl_limit_reached", gauge, "Whether a limit of [stop] on records or bytes is reached.",
			func(f *figures) float64 {
				return truth(slices.ContainsFunc(view.Limits(f.crawl.Script, f.crawl.State), view.Limit.Reached))
			}),
		ofCrawl("transactions_total", total, "Transactions that have ended since the crawl began.",
			func(f *figures) float64 { return float64(f.Ended) }),
		newFamily("last_commit_timestamp_seconds", gauge, "When the newest commit ended, as a Unix time.", nil, lastCommit),
		ofCrawl("left_seconds", gauge, "The least time that the waiting records need at the present pace; 0 if unknown.",
			func(f *figures) float64 { return f.Left }),
		ofCrawl("disk_free_bytes", gauge, "Free space of the file system of the crawl.",
			func(f *figures) float64 { return float64(workdir.Free(f.crawl.Root)) }),
		ofCrawl("disk_limit_bytes", gauge, "Free space below which the manager starts no stage.",
			func(f *figures) float64 { return float64(sched.LeastFree(f.crawl.Script)) }),

		newFamily("stage_runs_total", total, "Runs of a stage that have committed or failed.", []string{"stage", "result"}, runs),
		ofStage("stage_running", gauge, "Runs of a stage that are in progress.",
			func(s view.Stage) float64 { return float64(len(s.Running)) }),
		newFamily("stage_resting", gauge, "Whether a stage rests after failures.", []string{"stage"}, resting),
		ofStage("stage_read_records_total", total, "Records that committed runs of a stage have read.",
			func(s view.Stage) float64 { return float64(s.Records) }),
		ofStage("stage_cpu_seconds_total", total, "Processor time of all runs of a stage.",
			func(s view.Stage) float64 { return s.CPU }),
		ofStage("stage_peak_memory_bytes", gauge, "Resident memory of the largest process of a stage so far.",
			func(s view.Stage) float64 { return float64(s.Memory) }),
		newFamily("stage_batches", gauge, "Batches that wait for a stage: ready, held (not due yet) or aside (set aside).",
			[]string{"stage", "state"}, waiting),
		ofStage("stage_waiting_records", gauge, "Records in the ready and held batches of a stage, as far as they are known.",
			func(s view.Stage) float64 { return float64(s.Waiting) }),
		newFamily("stage_dropped_records_total", total, "Records that a stage has dropped, by reason.", []string{"stage", "reason"},
			named(func(s view.Stage) map[string]int64 { return s.Reasons })),
		newFamily("stage_reported", gauge, "Counters of a stage, summed since the crawl began, and the last values of its gauges.",
			[]string{"stage", "name"}, named(func(s view.Stage) map[string]int64 { return s.Counts })),

		ofQueue("queue_batches", gauge, "Live batches of a queue.", func(q view.Queue) float64 { return float64(q.Batches) }),
		ofQueue("queue_bytes", gauge, "Bytes of the live batches of a queue.", func(q view.Queue) float64 { return float64(q.Bytes) }),
		ofQueue("queue_owed_batches", gauge, "Batches of a queue that are due and that a reader has not read.",
			func(q view.Queue) float64 { return float64(q.Owed) }),
		ofQueue("queue_held_batches", gauge, "Batches of a queue that a reader has not read and that are not due yet.",
			func(q view.Queue) float64 { return float64(q.Held) }),
		ofQueue("queue_aside_batches", gauge, "Batches of a queue that a reader has set aside.",
			func(q view.Queue) float64 { return float64(q.Aside) }),
		newFamily("queue_oldest_batch_timestamp_seconds", gauge,
			"When the oldest live batch of a queue was committed, as a Unix time.", []string{"queue"}, oldest),
		ofQueue("queue_committed_batches_total", total, "Batches ever committed to a queue.",
			func(q view.Queue) float64 { return float64(q.Ever.Batches) }),
		ofQueue("queue_committed_records_total", total, "Records ever committed to a queue, as far as they are known.",
			func(q view.Queue) float64 { return float64(q.Ever.Records) }),
		ofQueue("queue_committed_bytes_total", total, "Bytes ever committed to a queue.",
			func(q view.Queue) float64 { return float64(q.Ever.Bytes) }),
	}
}

func newFamily(name string, kind prometheus.ValueType, help string, labels []string, values func(*figures) []value) family {
	desc := prometheus.NewDesc("multitext_"+name, help, append([]string{"crawl"}, labels...), nil)
	return family{desc: desc, kind: kind, values: values}
}

func ofCrawl(name string, kind prometheus.ValueType, help string, n func(*figures) float64) family {
	return newFamily(name, kind, help, nil, func(f *figures) []value { return []value{{n: n(f)}} })
}

func ofStage(name string, kind prometheus.ValueType, help string, n func(view.Stage) float64) family {
	return newFamily(name, kind, help, []string{"stage"}, func(f *figures) (out []value) {
		for _, s := range f.Stages {
			out = append(out, value{n(s), []string{s.Name}})
		}
		return out
	})
}

func ofQueue(name string, kind prometheus.ValueType, help string, n func(view.Queue) float64) family {
	return newFamily(name, kind, help, []string{"queue"}, func(f *figures) (out []value) {
		for _, q := range f.Queues {
			out = append(out, value{n(q), []string{q.Name}})
		}
		return out
	})
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func done(f *figures) float64 {
	is, _ := f.crawl.Done()
	return truth(is && f.Begun)
}

// lastCommit has no value as long as no run has committed.
func lastCommit(f *figures) []value {
	end := f.past.Committed()
	if end.IsZero() {
		return nil
	}
	return []value{{n: unix(end)}}
}

func runs(f *figures) (out []value) {
	for _, s := range f.Stages {
		out = append(out, value{float64(s.Runs), []string{s.Name, "commit"}}, value{float64(s.Failures), []string{s.Name, "failure"}})
	}
	return out
}

// resting is told by the log, because a stage that rests may still be running.
func resting(f *figures) (out []value) {
	for _, s := range f.Stages {
		out = append(out, value{truth(f.crawl.State.Stage(s.Name).Rest.After(f.crawl.Now)), []string{s.Name}})
	}
	return out
}

func waiting(f *figures) (out []value) {
	for _, s := range f.Stages {
		out = append(out, value{float64(s.Ready), []string{s.Name, "ready"}}, value{float64(s.Held), []string{s.Name, "held"}},
			value{float64(s.Aside), []string{s.Name, "aside"}})
	}
	return out
}

// oldest has no value for a queue without batches.
func oldest(f *figures) (out []value) {
	for _, q := range f.Queues {
		if !q.Oldest.IsZero() {
			out = append(out, value{unix(q.Oldest), []string{q.Name}})
		}
	}
	return out
}

func unix(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
