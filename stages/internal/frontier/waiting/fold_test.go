package waiting

import (
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/ordered"
)

// TestFoldWithoutRow: the chunks of a host of which a merge has no row all stay, whatever the row of the
// next host says.
func TestFoldWithoutRow(t *testing.T) {
	c := newCrawl(t)
	set, err := ordered.OpenSet("", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, packed := &ordered.Entries{}, chunk{n: 1, last: 2, size: 2, lines: []byte("/\n")}
	for _, host := range []uint64{4, 5} {
		b.Add(chunkKey(host, 3, packed.last), packed.append(nil))
	}
	next := row{host: 5, queues: []queue{{band: 3, head: 3, tail: 9}}}
	b.Add(rowKey(next.host), next.pack())
	rep := report.New()
	if err := set.Append(output.NewRun(t.Output()), c.New(), b, &fold{pack: &packer{}}, rep); err != nil {
		t.Fatal(err)
	}
	c.Commit(t, rep)
	set, err = ordered.OpenSet(c.List(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for host, want := range map[uint64]bool{4: true, 5: false} {
		if _, ok, err := set.Get(chunkKey(host, 3, packed.last)); ok != want || err != nil {
			t.Errorf("the chunk of host %d stays: %v, %v; want %v", host, ok, err, want)
		}
	}
}
