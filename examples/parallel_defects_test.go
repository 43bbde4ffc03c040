package examples

import (
	"fmt"
	"slices"
	"testing"

	"multitext/txlog/crash"
)

// A judge is a test that notes its errors instead of failing.
type judge struct {
	testing.TB
	errs []string
}

func (j *judge) Errorf(format string, args ...any) {
	j.errs = append(j.errs, fmt.Sprintf(format, args...))
}
func (j *judge) Error(args ...any) { j.errs = append(j.errs, fmt.Sprint(args...)) }

// Crawlers that are wrong are seen: those that follow links of others, that send a link twice, that
// remove a batch before what was taken is committed, and that follow links set aside too soon.
func TestParallelSeesDefects(t *testing.T) {
	if *c4Kills <= 3 {
		t.Skip("-c4kills 30 does it")
	}
	const env = "[stage.links]\nenv = [\"MULTITEXT_FAILPOINTS\"]"
	links, gofer := []string{"[stage.links]", env}, []string{"[\"SSH_AUTH_SOCK\"", "[\"MULTITEXT_FAILPOINTS\""}
	for _, c := range []struct {
		mode
		defect string   // a failpoint; "": none
		change []string // of the script
		kills  int
	}{
		{mode: exchange}, {mode: crossOver}, // the control
		{exchange, "others-kept", links, 0},
		{exchange, "sent-forgotten", links, 0},
		{firewall, "others-kept", links, 0},
		{exchange, "removed-early", gofer, 20},
		{crossOver, "", []string{"min  = \"1TB\"", "#"}, 0},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.defect, len(c.change)), func(t *testing.T) {
			t.Parallel()
			d := newDivided(t, faulty.Dir(t), 4, 160+20*c.kills, slices.Concat(batchesOf40(), c.change)...)
			if c.defect != "" {
				d.env = crash.Failpoints(t, c.defect)
			}
			j := &judge{TB: t}
			d.t = j
			d.killedOften(c.kills, c.mode, "-looks", "100ms")
			d.cameToMeasures(c.mode)
			if c.name == crossOver.name {
				if err := d.ownFirst(); err != nil {
					j.Error(err)
				}
			}
			if wrong := c.change != nil; wrong != (len(j.errs) > 0) {
				t.Errorf("%d errors: %q", len(j.errs), slices.Concat(j.errs, []string{""})[0])
			} else if wrong {
				t.Logf("%d errors, the first: %.200s", len(j.errs), j.errs[0])
			}
		})
	}
}
