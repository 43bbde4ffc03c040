package past

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"multitext/txlog"
)

// filling is how many sealed generations are summed, and are to be summed.
type filling struct {
	done, all int
	damage    error
}

// Older lists the sealed generations above one and below another, for Fill. From now on Share
// counts them.
func (p *Past) Older(above, below uint64) ([]uint64, error) {
	generations, err := txlog.Sealed(p.root)
	if err != nil {
		return nil, fmt.Errorf("list the history: %w", err)
	}
	generations = slices.DeleteFunc(generations, func(g uint64) bool { return g <= above || g >= below })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sealed.all += len(generations)
	return generations, nil
}

// Fill adds the generations that Older has listed, the newest first, until the context ends. The
// caller adds all others. A generation that is damaged is added up to the damage; see Damage.
func (p *Past) Fill(ctx context.Context, generations []uint64) {
	live := sizes{}
	for _, g := range slices.Backward(generations) {
		clear(live)
		err := txlog.Scan(p.root, g, func(b *txlog.Batch) error {
			live[b.Name] = changeOf(&b.Output)
			return ctx.Err()
		}, func(r txlog.Record) error {
			p.add(g, live, r)
			live.apply(r)
			return ctx.Err()
		})
		if ctx.Err() != nil {
			return
		}
		p.mu.Lock()
		p.sealed.done++
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // Trim may delete the oldest meanwhile
			p.sealed.damage = err
		}
		p.mu.Unlock()
	}
}

// Damage returns why a part of the history is not in the sums, for instance that a file of it is
// damaged; nil if all of it is, or is still to be read.
func (p *Past) Damage() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sealed.damage
}

// Share returns which part of the sealed generations is summed, 0 to 1.
func (p *Past) Share() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sealed.all == 0 {
		return 1
	}
	return float64(p.sealed.done) / float64(p.sealed.all)
}
