package waiting

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/traffic/visits"
)

// listOf writes the list of a state's segments.
func listOf(t testing.TB, segments ...string) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Join(segments, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return list
}

// faults are what Check finds in a state.
func faults(t testing.TB, segments ...string) (all []string) {
	t.Helper()
	s, err := Open(listOf(t, segments...), nil, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context(), func(err error) { all = append(all, err.Error()) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// check holds that the state is whole.
func (c *crawl) check() {
	c.t.Helper()
	if all := faults(c.t, c.Paths...); len(all) > 0 {
		c.t.Fatalf("the state behind run %d: %d faults, the first is: %s", c.Runs, len(all), all[0])
	}
}

// A change is what becomes of an entry of a state when it is forged.
type change func(t testing.TB, key ordered.Key, value []byte, put ordered.Put)

// forge copies a state with the change into one segment, and returns its path.
func forge(t testing.TB, change change, segments ...string) string {
	t.Helper()
	set, err := ordered.OpenSet(listOf(t, segments...), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var b ordered.Entries
	for walk := set.Cursor(); ; {
		key, value, ok, err := walk.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		change(t, key, value, func(key ordered.Key, value []byte) error {
			b.Add(key, value)
			return nil
		})
	}
	path := filepath.Join(t.TempDir(), "segment")
	empty, err := ordered.OpenSet("", nil)
	if err == nil {
		err = empty.Append(output.NewRun(io.Discard), path, &b, nil, report.New())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// rowOf changes the row of a host.
func rowOf(host string, change func(r *row)) change {
	return func(t testing.TB, key ordered.Key, value []byte, put ordered.Put) {
		at, ok := isRow(key)
		r := &row{host: at}
		if !ok || r.unpack(value) != nil || r.name != host {
			put(key, value)
			return
		}
		change(r)
		put(key, r.pack())
	}
}

// all changes what is known of all hosts.
func all(change func(m *meta)) change {
	return func(t testing.TB, key ordered.Key, value []byte, put ordered.Put) {
		if m := new(meta); key == metaKey && m.unpack(value) == nil {
			change(m)
			value = m.pack()
		}
		put(key, value)
	}
}

// chunkOf changes the chunk of band 3 which has the URL at a position.
func chunkOf(at uint64, change func(key ordered.Key, c *chunk, value []byte, put ordered.Put)) change {
	return func(t testing.TB, key ordered.Key, value []byte, put ordered.Put) {
		if _, band, last, ok := isChunk(key); ok && band == 3 {
			if c, err := parseChunk(last, value); err == nil && c.first() <= at && at <= last {
				change(key, &c, value, put)
				return
			}
		}
		put(key, value)
	}
}

// TestCheckFinds changes a whole state, mostly so that each entry stays valid, and has Check find it.
func TestCheckFinds(t *testing.T) {
	c := newCrawl(t)
	c.rules.Domain.Pages = 10
	c.run(func(s *State) {
		c.add(s, 3, urlsOf("a.test", 3000)...)
		c.add(s, 5, urlsOf("a.test", 7)...)
		c.add(s, 0, urlsOf("b.test", 2)...)
		c.visit(s, visits.Visit{Host: "www.a.test", Asked: 1, Answered: 1, Pause: time.Second})
	})
	const aList, bQueue = `host "a.test": its entry in the ready list of lane 0 and band 3 `, `host "b.test", band 0: `
	const sum, aQueue = " URLs wait by the rows of their hosts; ", `host "a.test", band 3: `
	for what, tt := range map[string]struct {
		change change
		want   []string // parts of what Check says, one after the other
	}{
		"nothing": {all(func(*meta) {}), nil},
		"a lost entry of a ready list": {func(_ testing.TB, key ordered.Key, value []byte, put ordered.Put) {
			if p, _, ok := isPlace(key); !ok || p.band != 3 {
				put(key, value)
			}
		}, []string{aList + "is missing"}},
		"an entry that was passed over": {all(func(m *meta) { m.read[Main][3] = entry{positions, 1} }),
			[]string{aList + "was passed over"}},
		"a host in no list": {rowOf("a.test", func(r *row) { r.listed = false }),
			[]string{`host "a.test": 3007 URLs wait, and it is in a ready list: false`}},
		"a host in the list of a worse band": {rowOf("a.test", func(r *row) { r.place.band = 5 }),
			[]string{`host "a.test": it is in the ready list of lane 0 and band 5, and has URLs of band 3`}},
		"a lane that there is not": {rowOf("a.test", func(r *row) { r.place.lane = lanes }),
			[]string{`host "a.test": it is in the ready list of lane 3 and band 3, and has URLs of band 3`}},
		"a head moved on": {rowOf("a.test", func(r *row) { r.queues[0].head++ }),
			[]string{"3008" + sum + "3009 came in and 0 were handed out, which leaves 3009, and 0 are stale"}},
		"the first chunk lost": {chunkOf(0, func(ordered.Key, *chunk, []byte, ordered.Put) {}),
			[]string{aQueue + "URLs 0 to ", " are in no chunk"}},
		"a tail moved on": {rowOf("b.test", func(r *row) { r.queues[0].tail++ }),
			[]string{bQueue + "URLs 2 to 2 are in no chunk", "3010" + sum}},
		"a tail moved back": {rowOf("b.test", func(r *row) { r.queues[0].tail-- }),
			[]string{bQueue + "URL 1 is in a chunk, and the queue ends in front of 1", "3008" + sum,
				"2 hosts of unknown pace have 5 URLs; 2 and 6 are noted"}},
		"queues in a wrong order": {rowOf("a.test",
			func(r *row) { r.queues[0], r.queues[1] = r.queues[1], r.queues[0] }),
			[]string{`host "a.test": its queue 1 is of band 3, behind one of band 5`}},
		"another name": {rowOf("b.test", func(r *row) { r.name = "c.test" }),
			[]string{`host "c.test": its key is `}},
		"a chunk of the middle lost": {chunkOf(1500, func(ordered.Key, *chunk, []byte, ordered.Put) {}),
			[]string{aQueue + "URLs 13", " are in no chunk"}},
		"the last chunk lost": {chunkOf(2999, func(ordered.Key, *chunk, []byte, ordered.Put) {}),
			[]string{aQueue + "URLs ", " to 2999 are in no chunk"}},
		"a chunk twice": {chunkOf(2999, func(key ordered.Key, c *chunk, value []byte, put ordered.Put) {
			put(ordered.Key{Hi: key.Hi, Lo: key.Lo - 1}, value)
			put(key, value)
		}), []string{aQueue, " are in two chunks", aQueue, " are in two chunks"}},
		"a chunk of a band that its host does not have": {chunkOf(2999,
			func(key ordered.Key, c *chunk, value []byte, put ordered.Put) {
				put(ordered.Key{Hi: key.Hi, Lo: key.Lo + 1<<bandShift}, value)
			}), []string{"band 4: URLs ", " and no row has such a queue", aQueue}},
		"a malformed chunk": {chunkOf(2999, func(key ordered.Key, c *chunk, value []byte, put ordered.Put) {
			put(key, value[:len(value)-1])
		}), []string{"chunk is malformed"}},
		"more stale records than there are": {rowOf("b.test", func(r *row) { r.stale = 3 }),
			[]string{`host "b.test": 3 records are stale, of 2`,
				"3 records are stale by the rows of their hosts, and 0 in all"}},
		"a domain of another name": {func(_ testing.TB, key ordered.Key, value []byte, put ordered.Put) {
			if d := new(domain); isDomain(key) && d.unpack(value) == nil {
				d.name = "c.test"
				value = d.pack()
			}
			put(key, value)
		}, []string{`domain "c.test": its key is `}},
		"URLs from nowhere": {all(func(m *meta) { m.entered++ }), []string{"3009" + sum + "3010 came in"}},
		"a host that is not counted": {all(func(m *meta) { m.paces[Main].new.rate-- }),
			[]string{"hosts of unknown pace have", "are noted"}},
		"a busy host that is not counted": {all(func(m *meta) { m.paces[Slow].of[1].urls++ }),
			[]string{"hosts that are busy for less than 2 ms have 0 URLs, 0 in 1000 s; 1 and 0 are noted"}},
	} {
		got := faults(t, forge(t, tt.change, c.Paths...))
		rest, ok := strings.Join(got, "\n"), len(tt.want) > 0 || len(got) == 0
		for _, want := range tt.want {
			_, behind, found := strings.Cut(rest, want)
			rest, ok = behind, ok && found
		}
		if !ok {
			t.Errorf("%s: Check says\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}
