package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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
	batches, bytes, records int64 // brought
	fetched                 int64 // bytes, of what was brought and of what was not
	removed                 int64
	torn, unfit             int64 // found so now
	failed                  int64 // could not be read or removed this time
	left                    int64 // for the next run: no room in this one
	lying                   int64 // torn or unfit since an earlier run
	disagrees               bool  // it works with another model or other nodes
	large                   int64 // more bytes than may be brought
	unwanted                [kinds]int64
	notes                   []string
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

// settle decides whose fault it is that the visit ended with err: the run's, whose context is ctx, or the
// peer's, whose time is in.
func (v *visit) settle(ctx, in context.Context, err error) error {
	var theirs *placeError
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
		return &placeError{err}
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
		v.disagrees = true
		v.note("%s", why)
		return nil
	}
	return v.bring(ctx, place, inTurn(fresh))
}

// inTurn gives batches in random order, each once. A name may be listed twice while a folder changes; and a batch
// that takes all the time, or at which the link breaks each time, must not be the first in every run.
func inTurn(all []batch) []batch {
	slices.SortFunc(all, func(a, b batch) int { return strings.Compare(a.name, b.name) })
	all = slices.CompactFunc(all, func(a, b batch) bool { return a.name == b.name })
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// look lists the place, and gives the names that may be removed there and the batches that are new.
func (v *visit) look(ctx context.Context, place store.Store) (done []string, fresh []batch, err error) {
	err = v.listing.each(ctx, place, v.peer, v.ledger, func(b batch, met entry) {
		switch {
		case met.fate == taken && len(done) < atMost:
			done = append(done, b.name)
		case met.fate == unfit || met.resting(v.now):
			v.lying++
		case met.fate == taken: // the next run's
		case b.size > v.largest:
			v.large++
			v.note("%s has %d bytes, more than -largest; it stays there", b.name, b.size)
		case v.goods[b.kind] == nil:
			v.unwanted[b.kind]++
		case len(fresh) == atMost:
			v.left++
		default:
			fresh = append(fresh, b)
		}
	})
	v.reached = err == nil || errors.Is(err, fs.ErrNotExist)
	return done, fresh, err
}

// remove removes batches there that an earlier run has committed here. A peer that lets us remove one no more
// is not asked about thousands: the time is for what it has.
func (v *visit) remove(ctx context.Context, place store.Store, done []string) error {
	for _, name := range done {
		err := place.Remove(ctx, name)
		if err == nil {
			v.removed++
			continue
		}
		if end := v.failure(ctx, "remove "+name, err); end != nil || errors.Is(err, store.ErrRefused) {
			return end
		}
	}
	return nil
}

// failure decides about what went wrong with one name: if the peer is gone the visit ends, else other
// names may do better.
func (v *visit) failure(ctx context.Context, what string, err error) error {
	if errors.Is(err, store.ErrUnreachable) || ctx.Err() != nil {
		return &placeError{fmt.Errorf("%s: %w", what, err)}
	}
	v.failed++
	v.note("%s: %v", what, err)
	return nil
}

// bring brings the batches, until the most that one visit may fetch is reached.
func (v *visit) bring(ctx context.Context, place store.Store, fresh []batch) error {
	if len(fresh) == 0 {
		return nil
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	defer spool.close()
	for i, b := range fresh {
		if v.fetched >= v.most {
			v.left += int64(len(fresh) - i)
			break
		}
		if err := v.take(ctx, place, spool, b); err != nil {
			return err
		}
	}
	return nil
}

// take brings one batch, or decides that it is none to bring.
func (v *visit) take(ctx context.Context, place store.Store, s *spool, b batch) error {
	size, sum, err := v.fetch(ctx, place, s, b)
	v.fetched += size
	var theirs *sourceError
	switch {
	case errors.Is(err, fs.ErrNotExist): // somebody has removed it
		return nil
	case errors.As(err, &theirs):
		return v.failure(ctx, "read "+b.name, theirs.err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // the room is ours, but the size is the peer's
		s.empty()
		return v.failure(ctx, "read "+b.name, err)
	case err != nil:
		return err
	case size > v.largest:
		return v.refuse(b, torn, fmt.Errorf("it has more bytes than the %d that were told", b.size))
	case sum != b.sum:
		return v.refuse(b, torn, fmt.Errorf("it has %d bytes of the hash %016x", size, sum))
	}
	records, err := v.admit(ctx, s, b)
	var bad *unfitError
	if errors.As(err, &bad) {
		return v.refuse(b, unfit, bad.err)
	}
	if err != nil {
		return err
	}
	v.ledger.add(v.peer.Name, b.name, entry{fate: taken})
	v.batches++
	v.bytes += size
	v.records += records
	return nil
}

// fetch copies a batch to the spool; of one that is too large, one byte more than may be.
func (v *visit) fetch(ctx context.Context, place store.Store, s *spool, b batch) (size int64, sum uint64, err error) {
	r, err := place.Open(ctx, b.name)
	if err != nil {
		return 0, 0, &sourceError{err}
	}
	defer r.Close()
	return s.fill(r, v.largest+1)
}

// An unfitError says that the records of a batch cannot be read.
type unfitError struct{ err error }

func (e *unfitError) Error() string { return e.err.Error() }

// admit checks the batch in the spool, and adds it to the output when all of it is sound.
func (v *visit) admit(ctx context.Context, s *spool, b batch) (records int64, err error) {
	src, err := s.rewind()
	if err != nil {
		return 0, err
	}
	err = v.check(ctx, b, src)
	var ours *fs.PathError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, &ours): // the spool's
		return 0, err
	case err != nil:
		return 0, &unfitError{err}
	}
	if src, err = s.rewind(); err != nil {
		return 0, err
	}
	// The visit may be over meanwhile, but half a batch would be brought again by the next run. So it ends with the
	// run alone, of which nothing counts then.
	return v.round.add(v.life, v.peer.Name, b, src)
}

// refuse leaves a batch where it is, and remembers so.
func (v *visit) refuse(b batch, why fate, cause error) error {
	e := entry{fate: unfit}
	if why == torn {
		met, err := v.ledger.find(v.peer.Name, b.name)
		if err != nil {
			return err
		}
		e = met.tornAgain(v.now)
		v.torn++
		v.note("%s is torn: %v; it stays there, and is looked at again at %s", b.name, cause, e.again.UTC().Format("2006-01-02 15:04 MST"))
	} else {
		v.unfit++
		v.note("%s is unfit: %v; it stays there", b.name, cause)
	}
	v.ledger.add(v.peer.Name, b.name, e)
	return nil
}
