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

// TestTimes: a record stands for one link at least, and for no more than MaxInlinks.
func TestTimes(t *testing.T) {
	for text, want := range map[string]int64{"": 1, "x": 1, "-7": 1, "0": 1, "1": 1, "2": 2, "0012": 12,
		"1048576": MaxInlinks, "1048577": MaxInlinks, "9223372036854775807": MaxInlinks,
		"99999999999999999999": 1} {
		rec := New("http://a.test/")
		rec.Set(Inlinks, text)
		if got := rec.Times(); got != want {
			t.Errorf("inlinks=%s is %d, want %d", text, got, want)
		}
	}
	if got := New("http://a.test/").Times(); got != 1 {
		t.Errorf("without inlinks= it is %d", got)
	}
}
