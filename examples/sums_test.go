package examples

import (
	"testing"

	"multitext/txlog"
)

// Crawlers that send numbers of links, in batches, fetch what they fetch in exchange mode, none of it
// twice. Each link to a page of another was sent, or summed up with one that was; fewer records are
// sent than links are found.
func TestParallelSums(t *testing.T) {
	t.Parallel()
	d := newDivided(t, programs(t), 4, 160)
	sums := exchange
	sums.vars = append([]string{"others=later", "sum=true", "every=1s", "order=backlink"}, exchange.vars...)
	d.runAll(sums.flags()...)
	want := d.simulate(sums.rule(d))
	d.cameTo(want, d.archives())
	if sent := d.lawful(); sent == 0 {
		t.Error("nothing was sent")
	}
	for _, name := range d.nodes {
		var sent, summed, counted int64
		runs := map[string]bool{} // of classify links, by what they write
		d.node(name).records(func(r txlog.Record) {
			c, ok := r.(*txlog.Commit)
			if !ok {
				return
			}
			for _, o := range c.Outputs {
				if q := o.Name.Queue(); q == "outgoing" || q == "later" {
					runs[c.Stage+" → "+q] = true
					if q == "outgoing" {
						sent += o.Records
					}
				}
			}
			for _, reason := range c.Reasons {
				switch {
				case reason.Name == "summed":
					summed += reason.N
				case c.Stage == "frontier" && reason.Name == "known":
					counted += reason.N
				}
			}
		})
		all, _ := d.meets(name, want.finds[name])
		if sent+summed != all {
			t.Errorf("%s found %d links to pages of others, sent %d records and summed up %d", name, all, sent, summed)
		}
		if all > 0 && len(runs) != 2 {
			t.Errorf("%s sends by %v, want later by links, and outgoing by later", name, runs)
		}
		if len(want.finds[name]) > 1 && counted == 0 {
			t.Errorf("the frontier of %s counted no links to known URLs", name)
		}
		t.Logf("%s: %d links of others in %d records", name, all, sent)
	}
}
