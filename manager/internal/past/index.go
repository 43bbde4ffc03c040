package past

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"multitext/manager/internal/view"
	"multitext/txlog"
)

// An index lists all transactions by generation, in the order of the log.
type index struct {
	names       []string // of stages
	numbers     map[string]uint16
	generations map[uint64]*entries
}

// entries are the transactions of a generation. There may be millions, so an entry is small.
type entries struct {
	first uint64 // the number of the first one
	list  []entry
}

// An entry is one transaction.
type entry struct {
	number int32  // more than that of the first of its generation
	end    uint32 // in seconds since 1970
	stage  uint16 // in names
	commit bool
}

func newIndex() index { return index{numbers: map[string]uint16{}, generations: map[uint64]*entries{}} }

func (x *index) add(generation uint64, r txlog.Record, stage string, end time.Time) {
	number, ok := x.numbers[stage]
	if !ok {
		number = uint16(len(x.names))
		x.numbers[stage], x.names = number, append(x.names, stage)
	}
	of := x.generations[generation]
	if of == nil {
		of = &entries{first: r.Number()}
		x.generations[generation] = of
	}
	_, commit := r.(*txlog.Commit)
	of.list = append(of.list, entry{int32(r.Number() - of.first), uint32(max(end.Unix(), 0)), number, commit})
}

// A Filter says which transactions are listed. A zero field means all.
type Filter struct {
	Stage    string
	Result   string // "commit" or "abort"
	From, To time.Time
}

// matches returns the test of a filter. No transaction passes it if there is no such stage.
func (x *index) matches(f Filter) func(entry) bool {
	number, known := x.numbers[f.Stage]
	if f.Stage != "" && !known {
		return func(entry) bool { return false }
	}
	return func(e entry) bool {
		at := time.Unix(int64(e.end), 0)
		return (f.Stage == "" || e.stage == number) && (f.Result == "" || e.commit == (f.Result == "commit")) &&
			(f.From.IsZero() || !at.Before(f.From)) && (f.To.IsZero() || at.Before(f.To))
	}
}

// mostRead is the maximum number of generations that List reads. A page whose transactions lie in
// more of them is shorter.
const mostRead = 8

// List returns up to n transactions, the newest first, that are older than before; nil means all.
// next is where the list goes on; nil if that is all. Transactions whose generation was deleted in
// the meantime are left out.
func (p *Past) List(f Filter, before *txlog.Position, n int) (out []*view.Transaction, next *txlog.Position, err error) {
	places, next := p.find(f, before, n)
	for begin := 0; begin < len(places); {
		end := begin
		for end < len(places) && places[end].Generation == places[begin].Generation {
			end++
		}
		rows, err := p.rows(places[begin:end])
		if err != nil {
			return nil, nil, err
		}
		out, begin = append(out, rows...), end
	}
	return out, next, nil
}

// find returns the places of a page.
func (p *Past) find(f Filter, before *txlog.Position, n int) (places []txlog.Position, next *txlog.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	match, read := p.index.matches(f), 0
	for _, g := range slices.Backward(slices.Sorted(maps.Keys(p.index.generations))) {
		if before != nil && g > before.Generation {
			continue
		}
		found := false
		for i, e := range slices.Backward(p.index.generations[g].list) {
			if before != nil && g == before.Generation && i >= before.Records || !match(e) {
				continue
			}
			if len(places) == n || !found && read == mostRead {
				last := places[len(places)-1]
				return places, &last
			}
			if !found {
				found, read = true, read+1
			}
			places = append(places, txlog.Position{Generation: g, Records: i})
		}
	}
	return places, nil
}

// Count returns how many transactions a filter lets through.
func (p *Past) Count(f Filter) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	match := p.index.matches(f)
	for _, g := range p.index.generations {
		for _, e := range g.list {
			if match(e) {
				n++
			}
		}
	}
	return n
}

var errEnough = errors.New("enough was read")

// rows reads the records at places of one generation, which are sorted, the newest first. If the
// generation was deleted there are none, and it is taken out of the index.
func (p *Past) rows(places []txlog.Position) ([]*view.Transaction, error) {
	out := make([]*view.Transaction, len(places))
	i, left, generation := -1, len(places), places[0].Generation
	err := txlog.Scan(p.root, generation, nil, func(r txlog.Record) error {
		if i++; left > 0 && i == places[left-1].Records {
			left--
			out[left] = view.FromRecord(r)
		}
		if left == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		p.mu.Lock()
		delete(p.index.generations, generation)
		p.mu.Unlock()
		return nil, nil
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("read transactions: %w", err)
	}
	return slices.DeleteFunc(out, func(t *view.Transaction) bool { return t == nil }), nil
}
