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

// A visit is a visit to one peer.
type visit struct {
	*round
	peer    *nodes.Node
	reached bool  // the peer has returned its listing
	trouble error // error of the peer that ended the visit early
	listing
	tally
}

// A tally counts what a visit has done.
type tally struct {
	counts   map[string]int64 // counters by their names in the report
	fetched  int64            // bytes of all copied batches, also of those not added
	lying    int64            // number of batches that were torn or unfit in earlier runs
	unwanted [kinds]int64     // number of batches without an output
	notes    []string
}

// count adds n to a counter of the report.
func (t *tally) count(name string, n int64) {
	if t.counts == nil {
		t.counts = map[string]int64{}
	}
	t.counts[name] += n
}

// atMost is the number of names that one visit handles and keeps in memory.
const atMost = 10_000

// maxNotes is the maximum number of notes of one visit.
const maxNotes = 5

func (v *visit) note(format string, args ...any) {
	if len(v.notes) < maxNotes {
		v.notes = append(v.notes, v.peer.Name+": "+fmt.Sprintf(format, args...))
	}
}

// run visits the peer. Errors of the peer are stored in trouble. run returns only errors of this
// crawler, which end the run.
func (v *visit) run(ctx context.Context) error {
	in, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	return v.settle(ctx, in, v.call(in))
}

// settle decides whether the run or the peer caused err, with which the visit ended. ctx is the
// context of the run, in the context that limits the visit.
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

// at does all work at the peer's place.
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

// inTurn returns the batches in random order, each once. A changing folder may list a name twice.
// And a batch that takes all the time, or at which the link always breaks, must not be the first in
// every run.
func inTurn(all []batch) []batch {
	slices.SortFunc(all, func(a, b batch) int { return strings.Compare(a.name, b.name) })
	all = slices.CompactFunc(all, func(a, b batch) bool { return a.name == b.name })
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// look lists the place. It returns the names that may be removed there and the batches that are
// new.
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
		case met.fate == taken: // left for the next run
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

// remove removes batches there that earlier runs have committed here. If a peer no longer allows
// removal, remove stops after the first batch and leaves the time for fetching.
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

// failure handles an error with one name. If the peer cannot be reached any more, the visit ends.
// Otherwise it goes on with other names.
func (v *visit) failure(ctx context.Context, what string, err error) error {
	if errors.Is(err, store.ErrUnreachable) || ctx.Err() != nil {
		return &peerError{fmt.Errorf("%s: %w", what, err)}
	}
	v.count("failed", 1)
	v.note("%s: %v", what, err)
	return nil
}

// bring fetches the batches, until the limit of one visit is reached.
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

// take fetches one batch into the spool and adds it to the output, or decides that it cannot be
// added.
func (v *visit) take(ctx context.Context, place store.Store, spool *os.File, b batch) error {
	size, sum, err := v.fetch(ctx, place, spool, b)
	v.fetched += size
	var theirs *peerError
	//failpoint:hash-ignored sum = b.sum
	switch {
	case errors.Is(err, fs.ErrNotExist): // another program has removed it
		return nil
	case errors.As(err, &theirs):
		return v.failure(ctx, "read "+b.name, theirs.err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // no room here, but the peer chose the size
		return v.failure(ctx, "read "+b.name, err)
	case err != nil:
		return err
	case size > v.largest:
		return v.isTorn(b, fmt.Errorf("it has more bytes than the %d in the listing", b.size))
	case sum != b.sum:
		return v.isTorn(b, fmt.Errorf("its %d bytes have the hash %016x", size, sum))
	}
	b.size = size
	return v.admit(ctx, b, func() io.Reader { return io.NewSectionReader(spool, 0, size) })
}

// fetch copies a batch to the spool. If the batch is too large, fetch copies one byte more than the
// limit.
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

// admit checks a fetched batch, and adds it to the output if all of it is valid.
func (v *visit) admit(ctx context.Context, b batch, fetched func() io.Reader) error {
	v.reading.Lock()
	defer v.reading.Unlock()
	err := v.goods[b.kind].check(ctx, b.name, fetched())
	var ours *fs.PathError // error of the spool
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
	// The time of the visit may be over, but if half a batch were added, the next run would add it
	// again. So only the end of the run stops this, and then nothing of the run counts.
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

// isTorn leaves a torn batch where it is, and adds it to the ledger.
func (v *visit) isTorn(b batch, cause error) error {
	met, err := v.ledger.find(v.peer.Name, b.name)
	if err != nil {
		return err
	}
	e := met.tornAgain(v.now)
	v.count("torn", 1)
	v.note("%s is torn: %v; it stays there, and is checked again at %s", b.name, cause,
		e.again.UTC().Format("2006-01-02 15:04 MST"))
	v.ledger.add(v.peer.Name, b.name, e)
	return nil
}
