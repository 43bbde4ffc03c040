package stage

import (
	"flag"
	"io"
	"slices"
	"testing"
)

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		in    string
		bytes int64
		shown string
	}{
		{"0", 0, "0"},
		{"512B", 512, "512B"},
		{"64KiB", 64 << 10, "64KiB"},
		{"64MB", 64e6, "64MB"},
		{"1.5GB", 15e8, "1500MB"},
		{"2kB", 2000, "2KB"},
	} {
		var z Size
		if err := z.Set(c.in); err != nil || int64(z) != c.bytes || z.String() != c.shown {
			t.Errorf("%q is %d, shown as %q, %v", c.in, z, z.String(), err)
		}
	}
	for _, s := range []string{"", "10", "MB", "-1MB", "1mb", "NaNB", "9e30TB", "1 MB/s"} {
		if n, err := parseSize(s); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", s, n)
		}
	}
}

func TestFlags(t *testing.T) {
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	size := SizeVar(fs, "max", 10e6, "")
	rate := RateVar(fs, "rate", 0, "")
	rules := StringsVar(fs, "rule", "")
	if err := fs.Parse([]string{"-rate", "600KB/s", "-rule", "a", "-rule", "b"}); err != nil {
		t.Fatal(err)
	}
	if *size != 10e6 || *rate != 600e3 || rate.String() != "600KB/s" || !slices.Equal(*rules, []string{"a", "b"}) {
		t.Errorf("size %d, rate %d (%s), rules %q", *size, *rate, rate, *rules)
	}
	for _, bad := range []string{"600KB", "600", "/s"} {
		if err := rate.Set(bad); err == nil {
			t.Errorf("the rate %q was taken", bad)
		}
	}
	if err := rate.Set("0"); err != nil || *rate != 0 {
		t.Errorf("rate 0: %d, %v", *rate, err)
	}
}
