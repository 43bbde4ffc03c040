package past

import (
	"errors"
	"time"

	"multitext/txlog"
)

// A Step is a transaction on the way from a batch back to a seed.
type Step struct {
	Tx     uint64
	Stage  string // "" if no stage ran: a seed or a request
	Seed   string // the key of the seed that was added
	End    time.Time
	Oldest txlog.Name // the oldest batch that it read: the way goes on there; "" at the end of the way
	Others int        // how many batches it read besides
	Lost   bool       // its record is not in the history, cannot be read, or is not summed yet
}

// Origin returns a way from a transaction back to a seed. It goes through the oldest input of each
// run, so it is short. It has up to most steps, and nothing is read any more after a time. The way
// is complete if the last step has no Oldest.
func (p *Past) Origin(tx uint64, most int, until time.Time) (way []Step) {
	read, steps := map[uint64]bool{}, map[uint64]Step{}
	for len(way) < most && (len(way) == 0 || time.Now().Before(until)) {
		generation, ok := p.generation(tx)
		if ok && !read[generation] {
			clear(steps) // the way only leads to older generations
			p.steps(generation, tx, steps)
			read[generation] = true
		}
		step, ok := steps[tx]
		if !ok {
			return append(way, Step{Tx: tx, Lost: true})
		}
		way = append(way, step)
		if step.Oldest == "" || step.Oldest.Tx() >= tx {
			break
		}
		tx = step.Oldest.Tx()
	}
	return way
}

// generation returns that with the record of a transaction; ok is false if it is not in the index.
func (p *Past) generation(tx uint64) (g uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for g, of := range p.index.generations {
		for _, e := range of.list {
			if of.first+uint64(e.number) == tx {
				return g, true
			}
		}
	}
	return 0, false
}

// steps reads the commits of a generation up to that of a transaction, or up to where it is
// damaged.
func (p *Past) steps(generation, last uint64, into map[uint64]Step) {
	txlog.Scan(p.root, generation, nil, func(r txlog.Record) error {
		if c, ok := r.(*txlog.Commit); ok {
			into[c.Tx] = stepOf(c)
		}
		if r.Number() == last {
			return errEnough
		}
		return nil
	})
}

func stepOf(c *txlog.Commit) Step {
	s := Step{Tx: c.Tx, Stage: c.Stage, Seed: c.Seed, End: c.Run.End, Others: max(len(c.Inputs)-1, 0)}
	for _, in := range c.Inputs {
		if s.Oldest == "" || in.Name.Tx() < s.Oldest.Tx() {
			s.Oldest = in.Name
		}
	}
	return s
}

// mostScanned is the number of records in which Readers searches for the readers of batches.
const mostScanned = 50_000

// Readers returns the transactions that have read batches of one transaction. want says for each
// batch by how many stages it was read, according to the state, or -1 if it is not live any more;
// then Readers searches until the last of them. all is false if the search ended before, for
// instance where the history cannot be read.
func (p *Past) Readers(made uint64, want map[txlog.Name]int) (txs map[txlog.Name][]uint64, all bool) {
	txs, left := map[txlog.Name][]uint64{}, 0
	for _, n := range want {
		if n != 0 {
			left++
		}
	}
	if left == 0 {
		return txs, true
	}
	pos, err := txlog.Seek(p.root, made)
	if err != nil {
		return txs, false
	}
	scanned := 0
	_, err = txlog.History(p.root, pos, func(r txlog.Record) error {
		if r.Number() > made {
			scanned++
		}
		left -= reads(r, want, txs)
		if left == 0 || scanned > mostScanned {
			return errEnough
		}
		return nil
	}, nil)
	return txs, (err == nil || errors.Is(err, errEnough)) && scanned <= mostScanned
}

// reads adds a record to the readers of the batches that it has read. It returns for how many
// batches it is the last reader.
func reads(r txlog.Record, want map[txlog.Name]int, txs map[txlog.Name][]uint64) (last int) {
	c, ok := r.(*txlog.Commit)
	if !ok {
		return 0
	}
	for _, in := range c.Inputs {
		n, ok := want[in.Name]
		if !ok || n == 0 {
			continue
		}
		txs[in.Name] = append(txs[in.Name], c.Tx)
		if in.Gone || len(txs[in.Name]) == n {
			last++
		}
	}
	for _, name := range c.Gone { // dropped: nobody else reads it
		if n := want[name]; n != 0 {
			last++
		}
	}
	return last
}
