package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/sharing/nodes"
)

// A visit is one to one peer.
type visit struct {
	*round
	peer    *nodes.Node
	reached bool  // it has told what lies there
	trouble error // what ended the visit early; the peer's
	listing
	tally
}

// A tally is what a visit has done.
type tally struct {
	counts   map[string]int64 // by their names in the report
	fetched  int64            // bytes, of what was brought and of what was not
	lying    int64            // torn or unfit since an earlier run
	unwanted [kinds]int64     // no output is given for them
	notes    []string
}

// count adds n to a count of the report.
func (t *tally) count(name string, n int64) {
	if t.counts == nil {
		t.counts = map[string]int64{}
	}
	t.counts[name] += n
}

// atMost bounds the names that one visit deals with: what it holds of a listing in memory.
const atMost = 10_000

// maxNotes bounds what one visit says.
const maxNotes = 5

func (v *visit) note(format string, args ...any) {
	if len(v.notes) < maxNotes {
		v.notes = append(v.notes, v.peer.Name+": "+fmt.Sprintf(format, args...))
	}
}

// run visits the peer. What goes wrong there is kept as trouble; an error is ours, and the run's.
func (v *visit) run(ctx context.Context) error {
	in, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	return v.settle(ctx, in, v.call(in))
}

// settle decides whose fault it is that the visit ended with err: the run's, whose context is ctx,
// or the peer's, whose time is in.
func (v *visit) settle(ctx, in context.Context, err error) error {
	var theirs *peerError
	isTheirs := errors.As(err, &theirs)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case in.Err() != nil && (isTheirs || errors.Is(err, in.Err())):
		v.trouble = fmt.Errorf("not done within %v: %w", v.limit, in.Err())
	case isTheirs:
		v.trouble = theirs.err
	default:
		return err
	}
	return nil
}

func (v *visit) call(ctx context.Context) error {
	place, err := v.open(ctx, v.peer)
	if err != nil {
		return &peerError{err}
	}
	defer place.Close()
	return v.at(ctx, place)
}

// at does what there is to do at the peer's place.
func (v *visit) at(ctx context.Context, place store.Store) error {
	done, fresh, err := v.look(ctx, place)
	if err != nil {
		return err
	}
	if err := v.remove(ctx, place, done); err != nil {
		return err
	}
	if why := disagreement(v.agreed, v.digest, len(fresh)); why != "" {
		v.count("peers-disagree", 1)
		v.note("%s", why)
		return nil
	}
	return v.bring(ctx, place, inTurn(fresh))
}

// inTurn gives batches in random order, each once. A name may be listed twice while a folder
// changes; and a batch that takes all the time, or at which the link breaks each time, must not be
// the first in every run.
func inTurn(all []batch) []batch {
	slices.SortFunc(all, func(a, b batch) int { return strings.Compare(a.name, b.name) })
	all = slices.CompactFunc(all, func(a, b batch) bool { return a.name == b.name })
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// look lists the place, and gives the names that may be removed there and the batches that are new.
func (v *visit) look(ctx context.Context, place store.Store) (done []string, fresh []batch, err error) {
	for b, err := range v.batches(ctx, place) {
		if err != nil {
			v.reached = errors.Is(err, fs.ErrNotExist)
			return nil, nil, &peerError{err}
		}
		met, err := v.ledger.find(v.peer.Name, b.name)
		switch {
		case err != nil:
			return nil, nil, err
		case met.fate == taken && len(done) < atMost:
			done = append(done, b.name)
		case met.fate == unfit || met.resting(v.now):
			v.lying++
		case met.fate == taken: // the next run's
		case b.size > v.largest:
			v.count("large", 1)
			v.note("%s has %d bytes, more than -largest; it stays there", b.name, b.size)
		case v.goods[b.kind] == nil:
			v.unwanted[b.kind]++
		case len(fresh) == atMost:
			v.count("left", 1)
		default:
			fresh = append(fresh, b)
		}
	}
	v.reached = true
	return done, fresh, nil
}

// remove removes batches there that an earlier run has committed here. A peer that lets us remove
// one no more is not asked about thousands: the time is for what it has.
func (v *visit) remove(ctx context.Context, place store.Store, done []string) error {
	for _, name := range done {
		//failpoint:batch-removed
		err := place.Remove(ctx, name)
		if err == nil {
			v.count("removed", 1)
			continue
		}
		if end := v.failure(ctx, "remove "+name, err); end != nil || errors.Is(err, store.ErrRefused) {
			return end
		}
	}
	return nil
}

// failure decides about what went wrong with one name: if the peer is gone the visit ends, else
// other names may do better.
func (v *visit) failure(ctx context.Context, what string, err error) error {
	if errors.Is(err, store.ErrUnreachable) || ctx.Err() != nil {
		return &peerError{fmt.Errorf("%s: %w", what, err)}
	}
	v.count("failed", 1)
	v.note("%s: %v", what, err)
	return nil
}

// bring brings the batches, until the most that one visit may fetch is reached.
func (v *visit) bring(ctx context.Context, place store.Store, fresh []batch) error {
	for i, b := range fresh {
		if v.fetched >= v.most {
			v.count("left", int64(len(fresh)-i))
			break
		}
		spool, err := newSpool()
		if err != nil {
			return err
		}
		err = v.take(ctx, place, spool, b)
		spool.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// take brings one batch by way of the spool, or decides that it is none to bring.
func (v *visit) take(ctx context.Context, place store.Store, spool *os.File, b batch) error {
	size, sum, err := v.fetch(ctx, place, spool, b)
	v.fetched += size
	var theirs *peerError
	//failpoint:hash-ignored sum = b.sum
	switch {
	case errors.Is(err, fs.ErrNotExist): // somebody has removed it
		return nil
	case errors.As(err, &theirs):
		return v.failure(ctx, "read "+b.name, theirs.err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // the room is ours, but the size is the peer's
		return v.failure(ctx, "read "+b.name, err)
	case err != nil:
		return err
	case size > v.largest:
		return v.isTorn(b, fmt.Errorf("it has more bytes than the %d that were told", b.size))
	case sum != b.sum:
		return v.isTorn(b, fmt.Errorf("it has %d bytes of the hash %016x", size, sum))
	}
	b.size = size
	return v.admit(ctx, b, func() io.Reader { return io.NewSectionReader(spool, 0, size) })
}

// fetch copies a batch to the spool; of one that is too large, one byte more than may be.
func (v *visit) fetch(ctx context.Context, place store.Store, spool *os.File, b batch) (size int64, sum uint64,
	err error) {
	//failpoint:batch-opened
	r, err := place.Open(ctx, b.name)
	if err != nil {
		return 0, 0, &peerError{err}
	}
	defer r.Close()
	return fill(spool, source{r}, v.largest+1)
}

// admit checks a batch that was fetched, and adds it to the output if all of it is sound.
func (v *visit) admit(ctx context.Context, b batch, fetched func() io.Reader) error {
	v.reading.Lock()
	defer v.reading.Unlock()
	err := v.goods[b.kind].check(ctx, b.name, fetched())
	var ours *fs.PathError // of the spool
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &ours):
		return err
	default:
		v.count("unfit", 1)
		v.note("%s is unfit: %v; it stays there", b.name, err)
		v.ledger.add(v.peer.Name, b.name, entry{fate: unfit})
		return nil
	}
	// The visit may be over by now, but half a batch would be brought again by the next run. So
	// only the end of the run ends this, and then nothing of the run counts.
	records, err := v.goods[b.kind].add(v.life, v.peer.Name, b.name, fetched())
	v.env.Report.In(records)
	if err != nil {
		return err
	}
	v.ledger.add(v.peer.Name, b.name, entry{fate: taken})
	//failpoint:removed-early place, _ := v.open(ctx, v.peer); place.Remove(ctx, b.name)
	//failpoint:batch-taken
	v.count("batches", 1)
	v.count("bytes", b.size)
	from := "from-" + v.peer.Name
	v.count(from+"-batches", 1)
	v.count(from+"-bytes", b.size)
	v.count(from+"-records", records)
	return nil
}

// isTorn leaves a torn batch where it is, and remembers so.
func (v *visit) isTorn(b batch, cause error) error {
	met, err := v.ledger.find(v.peer.Name, b.name)
	if err != nil {
		return err
	}
	e := met.tornAgain(v.now)
	v.count("torn", 1)
	v.note("%s is torn: %v; it stays there, and is looked at again at %s", b.name, cause,
		e.again.UTC().Format("2006-01-02 15:04 MST"))
	v.ledger.add(v.peer.Name, b.name, e)
	return nil
}
