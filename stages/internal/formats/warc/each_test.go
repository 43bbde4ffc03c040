package warc

import (
	"bytes"
	"testing"

	"multitext/stages/internal/run/report"
)

// TestEachPassesOver holds that an answer that is blamed is counted and not read, and that an
// answer is under way while it is dealt with.
func TestEachPassesOver(t *testing.T) {
	batch := file(t, testExchange(t, "http://a.test/1", okHead, "1"), testExchange(t, "http://a.test/2", okHead, "2"),
		testExchange(t, "http://a.test/3", okHead, "3"))
	rep := report.New()
	rep.Blame(map[int64]string{2: "panicked"})
	var got []int64
	err := Each(t.Context(), []string{"-"}, bytes.NewReader(batch), rep, func(_ *Reader, a *Answer) error {
		got = append(got, rep.UnderWay())
		rep.Reason("read", 1)
		return nil
	})
	if err != nil || len(got) != 2 || got[0] != 1 || got[1] != 3 || rep.UnderWay() != 0 {
		t.Errorf("read %v, %d under way, %v; want 1 and 3", got, rep.UnderWay(), err)
	}
	if s, err := rep.Summary(); err != nil || s != "3 in, 0 out, 1 panicked, 2 read" {
		t.Errorf("%s, %v", s, err)
	}
}
