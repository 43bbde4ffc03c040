package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/percent"
	"multitext/stages/internal/web/canon"
)

// This file judges URLs in the plainest way, condition by condition from its text, with whatever
// strings that takes. The compiled rules are held to it.

// A plainURL is what rules judge.
type plainURL struct {
	url   string
	depth int
	rel   string
}

func (u plainURL) record() *urlbatch.Record {
	rec := urlbatch.New(u.url)
	if u.depth != 0 {
		rec.SetInt(urlbatch.Depth, int64(u.depth))
	}
	if u.rel != "" {
		rec.Set(urlbatch.Rel, u.rel)
	}
	return rec
}

// plainDecide returns the index of the rule that decides u in the year 2026.
func plainDecide(t testing.TB, sc scope, u plainURL) int {
	t.Helper()
	return slices.IndexFunc(sc, func(r *rule) bool {
		for _, c := range r.conditions {
			words := strings.Fields(c.text)
			if c.not {
				words = words[1:]
			}
			if u.meets(t, words[0], words[1:]) == c.not {
				return false
			}
		}
		return true
	})
}

// meets tells whether the condition of this kind holds for u.
func (u plainURL) meets(t testing.TB, kind string, args []string) bool {
	t.Helper()
	target := strings.TrimPrefix(u.url, canon.Scheme(u.url)+"://"+canon.Host(u.url))
	path, query, _ := strings.Cut(target, "?")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	switch kind {
	case "all":
		return true
	case "scheme":
		return slices.Contains(args, strings.Split(u.url, ":")[0])
	case "rel":
		return slices.Contains(args, u.rel)
	case "depth":
		return plainCompare(u.depth, args)
	case "length":
		return plainCompare(len(u.url), args)
	case "segments":
		return plainCompare(len(segments), args)
	case "repeats":
		most := 0
		for _, s := range segments {
			most = max(most, len(segments)-len(slices.DeleteFunc(slices.Clone(segments),
				func(o string) bool { return o == s })))
		}
		return plainCompare(most, args)
	case "params":
		n := 0
		if query != "" {
			n = len(strings.Split(strings.ReplaceAll(query, ";", "&"), "&"))
		}
		return plainCompare(n, args)
	case "ahead", "ago":
		earliest, latest := plainYears(target)
		if n := max(0, latest-2026); kind == "ahead" {
			return plainCompare(n, args)
		}
		if earliest == 0 {
			return plainCompare(0, args)
		}
		return plainCompare(max(0, 2026-earliest), args)
	}
	return slices.ContainsFunc(args, func(arg string) bool { return u.meetsOne(t, kind, arg, target, path) })
}

// meetsOne tells it for one argument.
func (u plainURL) meetsOne(t testing.TB, kind, arg, target, path string) bool {
	t.Helper()
	name := path[strings.LastIndexByte(path, '/')+1:]
	ext := ""
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		ext = strings.ToLower(name[i+1:])
	}
	switch kind {
	case "host":
		return plainHost(t, arg) == canon.Host(u.url) || plainHost(t, arg) == canon.Hostname(u.url)
	case "domain":
		return strings.HasSuffix("."+canon.Hostname(u.url), "."+plainHost(t, arg))
	case "surt":
		full := string(canon.AppendSURT(nil, u.url))
		return strings.HasPrefix(full, arg) || strings.HasPrefix(full[strings.Index(full, "("):], arg)
	case "path":
		return strings.HasPrefix(target, arg)
	case "regex":
		return regexp.MustCompile(arg).MatchString(u.url)
	case "ext":
		return ext == strings.ToLower(arg)
	case "type":
		return slices.Contains(strings.Fields(types()[arg]), ext)
	}
	t.Fatalf("the plain way has no kind %q", kind)
	return false
}

// plainHost is the canonical spelling of the host that an argument is.
func plainHost(t testing.TB, arg string) string {
	t.Helper()
	url, err := canon.Parse("http://" + arg + "/")
	if err != nil {
		t.Fatal(err)
	}
	return canon.Host(url)
}

func plainCompare(n int, args []string) bool {
	bound, _ := strconv.Atoi(args[1])
	return map[string]bool{"<": n < bound, "<=": n <= bound, "=": n == bound, ">=": n >= bound, ">": n > bound}[args[0]]
}

// The dates of a URL, as the package comment has them.
var (
	numbers = regexp.MustCompile(`[0-9]+`)
	month   = regexp.MustCompile(`^(0[1-9]|1[0-2])$`)
)

// plainYears is years.
func plainYears(target string) (earliest, latest int) {
	if plain, err := percent.Unescape(target); err == nil {
		target = plain
	}
	for _, at := range numbers.FindAllStringIndex(target, -1) {
		digits := target[at[0]:at[1]]
		if !slices.Contains([]int{4, 6, 8}, len(digits)) {
			continue
		}
		year, _ := strconv.Atoi(digits[:4])
		if year < firstYear || year > lastYear || !plainDated(target, at[0], at[1]) {
			continue
		}
		if latest == 0 {
			earliest = year
		}
		earliest, latest = min(earliest, year), max(latest, year)
	}
	return earliest, latest
}

// plainDated tells whether target[from:to] is of a date.
func plainDated(target string, from, to int) bool {
	name := ""
	if before, ok := strings.CutSuffix(target[:from], "="); ok {
		before = before[max(0, len(before)-maxName):]
		name = strings.ToLower(before[strings.LastIndexAny(before, "?&;")+1:])
	}
	if to-from > 4 {
		named := strings.Contains(name, "date") || strings.Contains(name, "day") || strings.Contains(name, "month")
		return named && month.MatchString(target[from+4:from+6])
	}
	const separators = "/-_."
	if strings.HasSuffix(name, "year") || strings.HasSuffix(name, "yr") {
		return true
	}
	if to < len(target) && strings.ContainsRune(separators, rune(target[to])) {
		digits := numbers.FindStringIndex(target[to+1:])
		if digits != nil && digits[0] == 0 && month.MatchString(target[to+1:][:digits[1]]) {
			return true
		}
	}
	if from > 0 && strings.ContainsRune(separators, rune(target[from-1])) {
		rest := strings.TrimRight(target[:from-1], "0123456789")
		return month.MatchString(target[len(rest) : from-1])
	}
	return false
}
