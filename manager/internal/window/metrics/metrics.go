// Package metrics answers a scrape of Prometheus with the figures of some crawls, in the format
// OpenMetrics or the older text format, whichever the request asks for.
//
// The names begin with multitext_ and follow the conventions of Prometheus: seconds and bytes,
// _total for what only grows. The label crawl is the crawl's name in the addresses of window. The
// other labels are names of stages and queues of the script, and the names that stages give to
// reasons and counters in their reports. Of these the first [mostNames] of a stage are shown, and
// the others are summed as "other"; so no report can make the number of series grow without end.
//
// The figures are those of manager status -json. A total covers the crawl since it began, so it
// does not start at 0 again when a manager or window is started. A time is a Unix time: the age of
// the oldest batch is time() - multitext_queue_oldest_batch_timestamp_seconds.
//
// A scrape reads what was added to the log since the last look, and no file of a queue. If the
// crawl cannot be read, its only metric is multitext_crawl_readable 0. A scrape of a crawl with
// 100,000 waiting batches takes half a second. Its figures are used again for a hundred times as
// long as they took. So scrapes cost 1 % of a processor, however often somebody asks.
package metrics

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"multitext/manager/internal/past"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/crawls"
)

// atOnce is the maximum number of scrapes that are answered at a time.
const atOnce = 4

// rests is for how many times the time that figures took they are used again.
const rests = 100

// Handler returns the handler of /metrics for some crawls.
func Handler(all []*crawls.Crawl) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(newCollector(all, time.Now))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: atOnce})
}

// A collector implements prometheus.Collector.
type collector struct {
	families []family
	crawls   []*crawl
	now      func() time.Time
}

// A crawl is one with its figures when it was last looked at.
type crawl struct {
	*crawls.Crawl
	mu      sync.Mutex
	metrics []prometheus.Metric
	until   time.Time // they are used again before
}

func newCollector(all []*crawls.Crawl, now func() time.Time) *collector {
	c := &collector{families: families(), now: now}
	for _, one := range all {
		c.crawls = append(c.crawls, &crawl{Crawl: one})
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, f := range c.families {
		out <- f.desc
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	for _, crawl := range c.crawls {
		for _, m := range c.look(crawl) { // sending may block, so it is not done while the crawl is looked at
			out <- m
		}
	}
}

// look returns the metrics of a crawl.
func (c *collector) look(of *crawl) []prometheus.Metric {
	of.mu.Lock()
	defer of.mu.Unlock()
	begin := c.now()
	if begin.Before(of.until) {
		return of.metrics
	}
	of.metrics = nil
	err := of.With(func(v *view.Crawl, p *past.Past) error {
		f := &figures{Status: v.Figures(), crawl: v, past: p}
		for _, family := range c.families {
			of.metrics = append(of.metrics, family.metrics(of.Name, f)...)
		}
		return nil
	})
	if err != nil {
		of.metrics = c.unreadable(of.Name)
	}
	end := c.now()
	of.until = end.Add(rests * end.Sub(begin))
	return of.metrics
}

// unreadable returns the metrics of a crawl that cannot be read.
func (c *collector) unreadable(name string) []prometheus.Metric {
	i := slices.IndexFunc(c.families, func(f family) bool { return f.readable })
	return []prometheus.Metric{c.families[i].metric(0, name)}
}

// figures are what metrics are made of.
type figures struct {
	*view.Status
	crawl *view.Crawl
	past  *past.Past
}

// A family is the metrics of one name.
type family struct {
	desc     *prometheus.Desc
	kind     prometheus.ValueType
	readable bool // it tells whether the crawl could be read
	values   func(*figures) []value
}

// A value is a figure with its labels, without that of the crawl.
type value struct {
	n      float64
	labels []string
}

func (f family) metrics(crawl string, of *figures) (out []prometheus.Metric) {
	for _, v := range f.values(of) {
		out = append(out, f.metric(v.n, append([]string{crawl}, v.labels...)...))
	}
	return out
}

// metric returns one value. The log names the labels, so they may contain anything.
func (f family) metric(n float64, labels ...string) prometheus.Metric {
	for i, label := range labels {
		labels[i] = terminal.Printable(label)
	}
	return prometheus.MustNewConstMetric(f.desc, f.kind, n, labels...)
}
