package urlbatch

import "testing"

// TestShare: what is no number from 0 to 1 is the nearest such number, or 0.
func TestShare(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "x": 0, "NaN": 0, "-1": 0, "-Inf": 0, "0": 0, "0.25": 0.25,
		"1": 1,
		"2": 1, "Inf": 1, "1e-9": 1e-9} {
		rec := New("http://a.test/")
		rec.Set(Worth, text)
		if got := rec.Share(Worth); got != want {
			t.Errorf("worth=%s is %v, want %v", text, got, want)
		}
	}
	if got := New("http://a.test/").Share(Worth); got != 0 {
		t.Errorf("without worth= it is %v", got)
	}
}
