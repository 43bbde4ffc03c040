package past

import (
	"slices"
	"sync"
	"time"

	"multitext/manager/internal/view"
	"multitext/txlog"
)

// A Past is the sums and the index of a crawl's history. It is safe for concurrent use.
type Past struct {
	root string

	mu     sync.Mutex
	stages map[string]history[Sums]
	queues map[string]history[flow]
	index  index
	newest int64 // the end of the newest transaction, in nanoseconds since 1970
	commit int64 // the same of the newest run that has committed; 0 if none was added
	begun  int64 // the start of the oldest that was added
	ran    int64 // the same of the oldest run of a stage
	sealed filling
	asides view.AsideRuns

	names   map[string]map[string]bool // of reasons and counters that each stage has in the sums
	sums    Sums                       // of the record that is added; used again, so that many records are no garbage
	changes map[string]flow            // the same
}

// New returns a Past of the crawl in a directory. It has read nothing.
func New(root string) *Past {
	return &Past{root: root, stages: map[string]history[Sums]{}, queues: map[string]history[flow]{}, index: newIndex(),
		names: map[string]map[string]bool{}, changes: map[string]flow{},
		sums: Sums{Counts: map[string]float64{}, Reasons: map[string]float64{}}}
}

// Sums are what the runs of a stage did in a piece of time. All but Peak are spread over the time
// of a run, so a run that lasted longer counts here in part.
type Sums struct {
	Runs    float64 // that committed
	Failed  float64 // that were aborted, without those that were stopped or put off
	Records float64 // read
	Bytes   float64 // written
	Wall    float64 // seconds that runs took: 2 a second where two ran
	CPU     float64 // seconds
	Peak    int64   // bytes, of the largest process
	Counts  map[string]float64
	Reasons map[string]float64 // of records that were dropped, or led out of the flow
}

func addSums(into, from *Sums, share float64) {
	into.Records += share * from.Records
	into.Bytes += share * from.Bytes
	into.Wall += share * from.Wall
	into.CPU += share * from.CPU
	into.Runs += share * from.Runs
	into.Failed += share * from.Failed
	into.Peak = max(into.Peak, from.Peak)
	addAll(&into.Counts, from.Counts, share)
	addAll(&into.Reasons, from.Reasons, share)
}

func addAll(into *map[string]float64, from map[string]float64, share float64) {
	if *into == nil && len(from) > 0 {
		*into = make(map[string]float64, len(from))
	}
	for name, n := range from {
		(*into)[name] += share * n
	}
}

// A Change is by how much a queue grew in a piece of time.
type Change struct{ Batches, Bytes, Records float64 }

func addChange(into, from *Change, share float64) {
	into.Batches += share * from.Batches
	into.Bytes += share * from.Bytes
	into.Records += share * from.Records
}

// A flow is by how much a queue grew, and what was written to it.
type flow struct{ grew, made Change }

func addFlow(into, from *flow, share float64) {
	addChange(&into.grew, &from.grew, share)
	addChange(&into.made, &from.made, share)
}

// Add adds a record of a generation; before is the state before it. The records of a generation
// come in their order, each once.
func (p *Past) Add(before *txlog.State, r txlog.Record) { p.add(before.Generation(), state{before}, r) }

func (p *Past) add(generation uint64, before batches, r txlog.Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	run, stage := p.sums.of(r)
	over := spanOf(run.Start, run.End, time.Now())
	p.newest = max(p.newest, over.end)
	if p.begun == 0 || over.begin < p.begun {
		p.begun = over.begin
	}
	if stage != "" && (p.ran == 0 || over.begin < p.ran) {
		p.ran = over.begin
	}
	if c, ok := r.(*txlog.Commit); ok && c.Stage != "" {
		p.commit = max(p.commit, over.end)
	}
	p.index.add(generation, r, stage, run.End)
	p.asides.Add(r)
	p.few(stage, p.sums.Counts)
	p.few(stage, p.sums.Reasons)
	historyOf(p.stages, stage, addSums).put(over, &p.sums)
	at := span{over.end, over.end}
	changes(p.changes, before, r)
	for queue, change := range p.changes {
		historyOf(p.queues, queue, addFlow).put(at, &change)
	}
}

// mostNames is the maximum number of names of reasons and counters that the sums of a stage have.
const mostNames = 60

// Others is the name for all those beyond.
const Others = "(other)"

// few takes names out of the sums of a run if the stage has too many.
func (p *Past) few(stage string, sums map[string]float64) {
	known := p.names[stage]
	if known == nil {
		known = map[string]bool{Others: true}
		p.names[stage] = known
	}
	others := 0.0
	for name, n := range sums {
		if !known[name] && len(known) > mostNames {
			others += n
			delete(sums, name)
			continue
		}
		known[name] = true
	}
	if others > 0 {
		sums[Others] += others
	}
}

// historyOf returns the history of a stage or queue, a new one if there is none.
func historyOf[T any](all map[string]history[T], name string, add func(*T, *T, float64)) history[T] {
	h := all[name]
	if h == nil {
		h = newHistory(add)
		all[name] = h
	}
	return h
}

// of sets s to what a record says of a run.
func (s *Sums) of(r txlog.Record) (run *txlog.Run, stage string) {
	clear(s.Counts)
	clear(s.Reasons)
	*s = Sums{Counts: s.Counts, Reasons: s.Reasons}
	switch r := r.(type) {
	case *txlog.Commit:
		run, stage, s.Runs = &r.Run, r.Stage, 1
		s.Records = float64(max(r.Read, 0))
		for _, o := range r.Outputs {
			s.Bytes += float64(o.Size)
		}
		for _, c := range r.Counts {
			s.Counts[c.Name] += float64(c.N)
		}
		for _, c := range r.Reasons {
			s.Reasons[c.Name] += float64(c.N)
		}
		for _, b := range r.Because {
			s.Reasons[b.Name] += float64(b.N)
		}
	case *txlog.Abort:
		run, stage = &r.Run, r.Stage
		if r.Failed() {
			s.Failed = 1
		}
	}
	s.Wall = max(run.End.Sub(run.Start), 0).Seconds() // a clock may be set back
	s.CPU, s.Peak = run.CPU.Seconds(), run.Memory
	if run.Start.IsZero() {
		s.Wall = 0
	}
	return run, stage
}

// changes sets out to by how much a record changes the queues.
func changes(out map[string]flow, before batches, r txlog.Record) {
	clear(out)
	c, ok := r.(*txlog.Commit)
	if !ok {
		return
	}
	gone := func(name txlog.Name) {
		if one, ok := before.size(name); ok {
			q := out[name.Queue()]
			addChange(&q.grew, &one, -1)
			out[name.Queue()] = q
		}
	}
	for _, in := range c.Inputs {
		if in.Gone {
			gone(in.Name)
		}
	}
	for _, name := range c.Gone {
		gone(name)
	}
	if c.Export != "" {
		for name := range before.names() {
			if name.Queue() == c.Export {
				gone(name)
			}
		}
	}
	for _, o := range c.Outputs {
		q, one := out[o.Name.Queue()], changeOf(&o)
		if addChange(&q.made, &one, 1); !o.Export {
			addChange(&q.grew, &one, 1)
		}
		out[o.Name.Queue()] = q
	}
}

// A Bucket is the sums of a piece of time.
type Bucket struct {
	Begin time.Time
	Width time.Duration
	Sums
}

// Stage returns what a stage did in n equal pieces of the time from from to to.
func (p *Past) Stage(name string, from, to time.Time, n int) []Bucket {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Bucket, n)
	for i, sums := range p.stages[name].cut(from, to, p.newest, n) {
		begin := time.Unix(0, piece(from.UnixNano(), to.UnixNano(), i, n))
		out[i] = Bucket{begin, to.Sub(from) / time.Duration(n), sums}
	}
	return out
}

// Levels returns how long a queue was at the ends of n equal pieces of the time from from to now,
// if it has now this length.
func (p *Past) Levels(queue string, present Change, from, now time.Time, n int) []Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Change, n)
	for i, f := range slices.Backward(p.queues[queue].cut(from, now, p.newest, n)) {
		out[i] = present
		addChange(&present, &f.grew, -1)
	}
	return out
}

// Made returns what was written to a queue between two times, exported batches too.
func (p *Past) Made(queue string, from, to time.Time) Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queues[queue].cut(from, to, p.newest, 1)[0].made
}
