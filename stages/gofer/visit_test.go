package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/state/segment"
)

// A faulty place holds batches and fails as it is told: by method and name, "list" or "open NAME".
type faulty struct {
	batches map[string][]byte
	fails   map[string]error
	again   int // how often it lists all once more
	calls   []string
}

func (f *faulty) call(what string) error {
	f.calls = append(f.calls, what)
	return f.fails[what]
}

func (f *faulty) List(context.Context) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for range 1 + f.again {
			for name, content := range f.batches {
				if !yield(store.Entry{Name: name, Size: int64(len(content))}, nil) {
					return
				}
			}
		}
		if err := f.call("list"); err != nil {
			yield(store.Entry{}, err)
		}
	}
}

func (f *faulty) Open(_ context.Context, name string) (io.ReadCloser, error) {
	if err := f.call("open " + name); err != nil {
		return nil, err
	}
	content, ok := f.batches[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	r := io.Reader(bytes.NewReader(content))
	if err := f.fails["read "+name]; err != nil {
		r = io.MultiReader(io.LimitReader(r, 10), failing{err})
	}
	return io.NopCloser(r), nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func (f *faulty) Put(context.Context, string, io.ReadSeeker, int64) error {
	return errors.New("nobody puts")
}

func (f *faulty) Remove(_ context.Context, name string) error { return f.call("remove " + name) }

func (f *faulty) Close() error { return nil }

// visitAt visits a faulty place. The batches named in done were brought by an earlier run.
func visitAt(t *testing.T, ctx context.Context, place store.Store, done ...string) (*visit, error) {
	t.Helper()
	env := &stage.Env{Files: output.NewRun(io.Discard), Report: report.New()}
	c := &config{most: 1 << 20, largest: 1 << 20, limit: time.Minute, now: noon}
	r := &round{config: c, env: env, ledger: ledgerOf(t, env, done), life: ctx}
	b := bounds{cut: 1 << 20, pages: 1 << 20, urls: 1 << 20}
	r.goods = [kinds]goods{newPageGoods(env, "-", "", b), newURLGoods(env, "-", b)}
	v := &visit{round: r, peer: &nodes.Node{Name: "arts"}}
	return v, v.settle(ctx, ctx, v.at(ctx, place))
}

// ledgerOf is one in which the named batches of arts are taken.
func ledgerOf(t *testing.T, env *stage.Env, names []string) *ledger {
	t.Helper()
	l := &ledger{set: &segment.Set{}}
	if len(names) == 0 {
		return l
	}
	for _, name := range names {
		l.add("arts", name, entry{fate: taken})
	}
	r := newRig(t)
	if err := l.close(env, r.path("segment")); err != nil {
		t.Fatal(err)
	}
	r.write("list", []byte(r.path("segment\n")))
	l, err := openLedger(r.path("list"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func named(t *testing.T, i int) (string, []byte) {
	content := urlBatch(t, fmt.Sprintf("http://a.test/%d\n", i))
	return fmt.Sprintf("%016x-%012d-00001.zst", xxhash.Sum64(content), i), content
}

// One batch that cannot be read is in nobody's way; a peer that is gone ends the visit, and what
// was brought before stays brought.
func TestFaults(t *testing.T) {
	names := make([]string, 4)
	batches := map[string][]byte{}
	for i := range names {
		name, content := named(t, i)
		names[i], batches[name] = name, content
	}
	gone := fmt.Errorf("host x: %w", store.ErrUnreachable)
	for name, c := range map[string]struct {
		fails   map[string]error
		outcome string
		fetched int64 // at least
		failed  int64
		reached bool
	}{
		"no fault":         {nil, "", 4, 0, true},
		"list":             {map[string]error{"list": errors.New("x")}, "peers-failed", 0, 0, false},
		"list unreachable": {map[string]error{"list": gone}, "peers-unreachable", 0, 0, false},
		"list refused":     {map[string]error{"list": store.ErrRefused}, "peers-refused", 0, 0, false},
		"list absent":      {map[string]error{"list": fs.ErrNotExist}, absent, 0, 0, true},
		"open":             {map[string]error{"open " + names[1]: errors.New("x")}, "", 3, 1, true},
		"open refused":     {map[string]error{"open " + names[1]: store.ErrRefused}, "", 3, 1, true},
		"open gone":        {map[string]error{"open " + names[1]: fs.ErrNotExist}, "", 3, 0, true},
		"read":             {map[string]error{"read " + names[1]: io.ErrUnexpectedEOF}, "", 3, 1, true},
		"read unreachable": {map[string]error{"read " + names[1]: gone}, "peers-unreachable", 0, 0, true},
		"no time to read":  {map[string]error{"read " + names[1]: context.DeadlineExceeded}, "", 3, 1, true},
		"open unreachable": {map[string]error{"open " + names[1]: gone}, "peers-unreachable", 0, 0, true},
		"two opened": {map[string]error{"open " + names[1]: errors.New("x"), "open " +
			names[2]: errors.New("x")}, "", 2, 2, true},
	} {
		v, err := visitAt(t, t.Context(), &faulty{batches: batches, fails: c.fails})
		if err != nil {
			t.Errorf("%s: the run fails: %v", name, err)
			continue
		}
		outcome, _ := v.outcome()
		if outcome != c.outcome || v.counts["batches"] < c.fetched || v.counts["failed"] != c.failed ||
			v.reached != c.reached {
			t.Errorf("%s: outcome %q, %d brought, %d failed, reached %v; want %+v", name, outcome,
				v.counts["batches"], v.counts["failed"], v.reached, c)
		}
		if n := int64(len(v.ledger.added.Keys)); n != v.counts["batches"] {
			t.Errorf("%s: %d brought and %d in the ledger", name, v.counts["batches"], n)
		}
	}
}

// A peer that gives more bytes than it has told is not listened to for longer than may be.
func TestMoreThanTold(t *testing.T) {
	name, content := named(t, 1)
	place := &lying{faulty{batches: map[string][]byte{name: append(content, make([]byte, 2<<20)...)}}}
	v, err := visitAt(t, t.Context(), place)
	if err != nil || v.counts["torn"] != 1 || v.counts["batches"] != 0 ||
		!strings.Contains(strings.Join(v.notes, ""), "more bytes than the 1 in the listing") {
		t.Errorf("%v, %+v", err, v.tally)
	}
}

// lying tells of one byte for each batch.
type lying struct{ faulty }

func (l *lying) List(ctx context.Context) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range l.faulty.List(ctx) {
			if e.Size = 1; !yield(e, err) {
				return
			}
		}
	}
}

// What cannot be removed is removed by a later run, and keeps nothing else from being so, or
// brought.
func TestRemoveFails(t *testing.T) {
	one, a := named(t, 1)
	two, b := named(t, 2)
	three, c := named(t, 3)
	place := &faulty{batches: map[string][]byte{one: a, two: b, three: c},
		fails: map[string]error{"remove " + one: errors.New("x")}}
	v, err := visitAt(t, t.Context(), place, one, two)
	if err != nil || v.counts["removed"] != 1 || v.counts["failed"] != 1 || v.counts["batches"] != 1 {
		t.Errorf("%v: %+v", err, v.tally)
	}
	if slices.Contains(place.calls, "open "+one) || slices.Contains(place.calls, "remove "+three) {
		t.Errorf("calls: %q", place.calls)
	}
}

// A visit whose time is over is the peer's trouble; a run that is ended is none.
func TestTimeOver(t *testing.T) {
	name, content := named(t, 1)
	place := &faulty{batches: map[string][]byte{name: content}}
	parent, stop := context.WithCancel(t.Context())
	over, cancel := context.WithDeadline(parent, time.Now().Add(-time.Second))
	defer cancel()
	v, err := visitAt(t, over, place)
	if err == nil {
		t.Errorf("a run whose own time is over goes on: %+v", v.tally)
	}
	err = v.settle(parent, over, err)
	if outcome, why := v.outcome(); err != nil || outcome != "peers-slow" ||
		!strings.Contains(why.Error(), "not done within 1m0s") {
		t.Errorf("%v, outcome %q, %v", err, outcome, why)
	}
	stop()
	if err := v.settle(parent, over, errors.New("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was ended: %v", err)
	}
}

func TestLook(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/1"))
	r.pull()
	r.hold("arts", "warc.gz", 2, pageBatch(t, "http://a.test/2"))
	r.write(outgoing("arts")+"0123456789abcdef-000000000003-00001.zst", []byte("torn"))
	r.write(outgoing("arts")+"x", nil)
	r.write("ledger", []byte(strings.Join(r.segments, "\n")))
	look := func(args ...string) string {
		t.Helper()
		tool := lookVerb()
		var out, said bytes.Buffer
		args = append([]string{"-nodes", r.path("nodes.toml"), "-node", "world", "-ledger", r.path("ledger")}, args...)
		if code := stage.Run(t.Context(), tool.Tool, tool.Setup, args, nil, &out, &said); code != stage.ExitDone {
			t.Fatalf("exit %d: %s", code, &said)
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	const head = "pages URLs bytes done torn unfit foreign at "
	size := len(pageBatch(t, "http://a.test/2"))
	if got, want := look(), head+fmt.Sprintf("1 1 %d 1 0 0 1 arts: answers 0 0 0 0 0 0 0 law: holds nothing yet",
		size+4); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	r.pull()
	r.write("ledger", []byte(strings.Join(r.segments, "\n")))
	if got, want := look("arts"), head+"0 0 0 1 1 0 1 arts: answers"; got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// What cannot be removed for want of a right is not tried a thousand times; it is brought all the
// same.
func TestRemoveRefused(t *testing.T) {
	place := &faulty{batches: map[string][]byte{}, fails: map[string]error{}}
	var done []string
	for i := range 5 {
		name, content := named(t, i)
		place.batches[name] = content
		if i > 0 {
			done, place.fails["remove "+name] = append(done, name), store.ErrRefused
		}
	}
	v, err := visitAt(t, t.Context(), place, done...)
	if err != nil || v.counts["removed"] != 0 || v.counts["failed"] != 1 || v.counts["batches"] != 1 {
		t.Errorf("%v: %+v", err, v.tally)
	}
}

// A name that is listed twice is brought once.
func TestListedTwice(t *testing.T) {
	one, a := named(t, 1)
	two, b := named(t, 2)
	v, err := visitAt(t, t.Context(), &faulty{batches: map[string][]byte{one: a, two: b}, again: 2})
	if err != nil || v.counts["batches"] != 2 || v.counts["from-arts-records"] != 2 {
		t.Errorf("%v: %+v", err, v.tally)
	}
}

// A batch at which the link breaks each time does not keep the others from being brought for ever.
func TestBreaksEachTime(t *testing.T) {
	var all []batch
	for i := range 20 {
		name, _ := named(t, i)
		b, _ := parseBatch(name)
		all = append(all, b)
	}
	first := map[string]bool{}
	for range 200 {
		first[inTurn(all)[0].name] = true
	}
	if len(first) < 10 {
		t.Errorf("only %d of 20 batches are ever the first", len(first))
	}
}

// What is fetched in vain counts for -most, too.
func TestMostInVain(t *testing.T) {
	place := &faulty{batches: map[string][]byte{}}
	for i := range 3 {
		name, _ := named(t, i)
		place.batches[name] = make([]byte, 1<<20)
	}
	v, err := visitAt(t, t.Context(), place)
	if err != nil || v.counts["torn"] != 1 || v.counts["left"] != 2 {
		t.Errorf("%v: %+v", err, v.tally)
	}
}

// A batch for which there is no room here is left; the run goes on.
func TestNoRoom(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	name, content := named(t, 1)
	b, _ := parseBatch(name)
	v, _ := visitAt(t, t.Context(), &faulty{})
	err = v.take(t.Context(), &faulty{batches: map[string][]byte{name: content}}, full, b)
	if err != nil || v.counts["failed"] != 1 || v.counts["batches"] != 0 || len(v.ledger.added.Keys) != 0 ||
		!strings.Contains(strings.Join(v.notes, ""), "no space left") {
		t.Errorf("%v: %+v", err, v.tally)
	}
}

// A batch that is being added when the run ends is not added to its end.
func TestRunEndsWhileAdding(t *testing.T) {
	one, a := named(t, 1)
	ctx, end := context.WithCancel(t.Context())
	v, _ := visitAt(t, ctx, &faulty{})
	v.goods[urls] = lateGoods{v.goods[urls], end}
	err := v.settle(ctx, ctx, v.at(ctx, &faulty{batches: map[string][]byte{one: a}}))
	if !errors.Is(err, context.Canceled) || v.counts["batches"] != 0 {
		t.Errorf("%v, %d brought; want none, and that it was ended", err, v.counts["batches"])
	}
}

// lateGoods let the time of the visit end while a batch is added.
type lateGoods struct {
	goods
	end context.CancelFunc
}

func (g lateGoods) add(ctx context.Context, peer, name string, src io.Reader) (int64, error) {
	g.end()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return g.goods.add(ctx, peer, name, src)
}

// A batch that is being added when the time is over is added whole: half of it would be brought
// again.
func TestTimeOverWhileAdding(t *testing.T) {
	one, a := named(t, 1)
	two, b := named(t, 2)
	v, _ := visitAt(t, t.Context(), &faulty{})
	in, end := context.WithCancel(t.Context())
	v.goods[urls] = lateGoods{v.goods[urls], end}
	err := v.settle(t.Context(), in, v.at(in, &faulty{batches: map[string][]byte{one: a, two: b}}))
	if err != nil || v.counts["batches"] != 1 || len(v.ledger.added.Keys) != 1 || v.trouble == nil {
		t.Errorf("%v, trouble %v, %d brought, %d in the ledger; want one of two, and no time for the other", err,
			v.trouble, v.counts["batches"], len(v.ledger.added.Keys))
	}
}
