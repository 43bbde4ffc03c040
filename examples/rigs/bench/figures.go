package main

import "slices"

// figure is one number that an outing gives.
type figure struct {
	key, title string
	decimals   int
	compared   bool // as multitext_is
	watched    bool // of the watched crawl alone
	of         func(o *outing, pages int) float64
}

func figures() []figure {
	return []figure{
		{"pages_per_second", "pages/s (more is better)", 0, true, false,
			func(o *outing, pages int) float64 { return float64(pages) / o.wall.Seconds() }},
		{"cpu_seconds_per_1000_pages", "CPU s/1,000 pages", 3, true, false,
			func(o *outing, pages int) float64 { return o.cpu.Seconds() / float64(pages) * 1000 }},
		{"cpu_us_per_answer", "CPU µs an answer", 0, true, false,
			func(o *outing, _ int) float64 { return o.cpu.Seconds() * 1e6 / float64(o.served.answers()) }},
		{"largest_mb", "memory, largest, MB", 1, true, true,
			func(o *outing, _ int) float64 { return float64(o.largest) / 1e6 }},
		{"sum_mb", "memory, sum, MB", 1, true, true, func(o *outing, _ int) float64 { return float64(o.sum) / 1e6 }},
		{"written_kb_per_page", "KB written a page", 2, true, false,
			func(o *outing, pages int) float64 { return float64(o.written) / float64(pages) / 1e3 }},
		{"web_cpu_seconds_per_1000_pages", "(the web's CPU s/1,000)", 3, false, false,
			func(o *outing, pages int) float64 { return o.web.Seconds() / float64(pages) * 1000 }},
		{"window_cpu_percent", "(the window's CPU, % of a core)", 2, false, false,
			func(o *outing, _ int) float64 { return 100 * o.beside.window.Seconds() / o.wall.Seconds() }},
		{"reader_cpu_percent", "(its reader's CPU, % of a core)", 2, false, false,
			func(o *outing, _ int) float64 { return 100 * o.beside.reader.Seconds() / o.wall.Seconds() }},
		{"twice", "pages twice", 0, false, false,
			func(o *outing, _ int) float64 { return float64(o.served.Kinds["page"].Repeated) }},
		{"forbidden", "forbidden answers", 0, false, false,
			func(o *outing, _ int) float64 { return float64(o.served.Violations) }},
		{"saved", "saved, URLs or files", 0, false, false, func(o *outing, _ int) float64 { return float64(o.saved) }},
		{"answers", "answers in all", 0, false, false,
			func(o *outing, _ int) float64 { return float64(o.served.answers()) }},
	}
}

// spread is a figure over the rounds.
type spread struct {
	Median float64  `json:"median"`
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Ratio  *float64 `json:"multitext_is,omitempty"` // as a multiple of this; the median of the rounds
}

// spreads are the figures of e by key, held against those of ours.
func (e *entry) spreads(ours *entry, pages int) map[string]spread {
	all := map[string]spread{}
	for _, f := range figures() {
		values, base := e.values(f, pages), ours.values(f, pages)
		if len(values) == 0 {
			continue
		}
		s := spread{Median: median(values), Min: slices.Min(values), Max: slices.Max(values)}
		var ratios []float64
		for round, v := range values {
			if v != 0 {
				ratios = append(ratios, base[round]/v)
			}
		}
		if f.compared && e != ours && len(ratios) == len(values) {
			ratio := median(ratios)
			s.Ratio = &ratio
		}
		all[f.key] = s
	}
	return all
}

// values are those of f in each round, or in the watched one.
func (e *entry) values(f figure, pages int) (values []float64) {
	crawls := e.outings
	if f.watched {
		crawls = nil
		if e.watched != nil {
			crawls = []*outing{e.watched}
		}
	}
	for _, o := range crawls {
		values = append(values, f.of(o, pages))
	}
	return values
}

// median of values, of which there is one at least.
func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
