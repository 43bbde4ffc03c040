package stage

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"multitext/stages/internal/run/suggest"
)

// nearFlag returns a hint with the most similar flag if err reports an unknown flag.
func nearFlag(fs *flag.FlagSet, err error) string {
	name, found := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !found {
		return ""
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return suggest.Hint(name, names)
}

// StringsVar declares a flag that may be repeated.
func StringsVar(fs *flag.FlagSet, name, usage string) *[]string {
	all := new([]string)
	fs.Func(name, usage, func(s string) error {
		*all = append(*all, s)
		return nil
	})
	return all
}

// A Size is a number of bytes in human-readable form: 10MB, 64KiB, 512B. A number without a unit is
// an error, except 0. Units are B, KB, MB, GB, TB (powers of 1000; kB too) and KiB, MiB, GiB, TiB
// (powers of 1024).
type Size int64

// SizeVar declares a Size flag.
func SizeVar(fs *flag.FlagSet, name string, value Size, usage string) *Size {
	s := new(Size)
	*s = value
	fs.Var(s, name, usage)
	return s
}

// RateVar declares a flag for bytes per second, as in 600KB/s; 0 means no limit.
func RateVar(fs *flag.FlagSet, name string, value Rate, usage string) *Rate {
	r := new(Rate)
	*r = value
	fs.Var(r, name, usage)
	return r
}

// A Rate is a number of bytes per second: a Size followed by /s, or 0 or "" for no limit.
type Rate int64

var units = []struct {
	name  string
	bytes int64
}{ // the longer names first: B is a suffix of all
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"kB", 1e3}, {"B", 1},
}

// parseSize parses a Size.
func parseSize(s string) (int64, error) {
	if s == "0" {
		return 0, nil
	}
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(f >= 0 && f*float64(u.bytes) < 1<<62) {
			break
		}
		return int64(f * float64(u.bytes)), nil
	}
	return 0, fmt.Errorf("%q is not a size: write 10MB, 64KiB or 512B", s)
}

// Set parses s like parseSize.
func (z *Size) Set(s string) error {
	n, err := parseSize(s)
	*z = Size(n)
	return err
}

func (z *Size) String() string { return formatSize(int64(*z)) }

// Set parses s: a size followed by /s, or 0.
func (r *Rate) Set(s string) error {
	size, ok := strings.CutSuffix(s, "/s")
	if s == "" || s == "0" {
		*r = 0
		return nil
	}
	n, err := parseSize(size)
	if err != nil || !ok {
		return fmt.Errorf("%q is not a rate: write 600KB/s", s)
	}
	*r = Rate(n)
	return nil
}

func (r *Rate) String() string {
	if *r == 0 {
		return "0"
	}
	return formatSize(int64(*r)) + "/s"
}

// formatSize formats n in the largest unit in which it is a whole number.
func formatSize(n int64) string {
	if n == 0 {
		return "0"
	}
	best := units[len(units)-1]
	for _, u := range units {
		if n%u.bytes == 0 && u.bytes > best.bytes {
			best = u
		}
	}
	return fmt.Sprintf("%d%s", n/best.bytes, best.name)
}
