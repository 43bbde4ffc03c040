package main

import (
	"bytes"

	"multitext/stages/internal/run/percent"
)

// firstYear and lastYear bound what is taken for a year; other numbers of four digits are names of
// things. A calendar without end comes by these years, step by step.
const firstYear, lastYear = 1700, 2199

// dates are the years of the dates in a URL, 0 and 0 if it has none. restrict -h tells what is a date: other
// years are taken for numbers, since who walks a calendar passes by these.
type dates struct {
	earliest, latest int
	plain            []byte // room for a URL without escapes
}

// find looks for dates in the path and query of a canonical URL.
func (d *dates) find(target []byte) {
	d.earliest, d.latest = 0, 0
	if bytes.IndexByte(target, '%') >= 0 {
		if plain, err := percent.AppendUnescaped(d.plain[:0], target); err == nil {
			d.plain, target = plain, plain
		}
	}
	// Of four digits in a row one is at every fourth place.
	const apart = len("2026")
	for at := apart - 1; at < len(target); at += apart {
		if !isDigit(target[at]) {
			continue
		}
		from, to := at, at+1
		for from > 0 && isDigit(target[from-1]) {
			from--
		}
		for to < len(target) && isDigit(target[to]) {
			to++
		}
		d.add(yearOf(target, from, to))
		at = to
	}
}

// add notes a year, 0 being none.
func (d *dates) add(year int) {
	switch {
	case year == 0:
	case d.latest == 0:
		d.earliest, d.latest = year, year
	default:
		d.earliest, d.latest = min(d.earliest, year), max(d.latest, year)
	}
}

// yearOf gives the year of the date that the digits target[from:to] belong to, 0 if to none.
func yearOf(target []byte, from, to int) int {
	if n := to - from; n != 4 && n != 6 && n != 8 {
		return 0
	}
	year := 0
	for _, c := range target[from : from+4] {
		year = 10*year + int(c-'0')
	}
	if year < firstYear || year > lastYear {
		return 0
	}
	var room [maxName]byte
	name := parameter(room[:0], target, from)
	dated := false
	if to-from == 4 {
		dated = isSeparator(target, to) && isMonth(target, to+1) || isSeparator(target, from-1) && isMonth(target, from-3) ||
			bytes.HasSuffix(name, []byte("year")) || bytes.HasSuffix(name, []byte("yr"))
	} else {
		dated = monthAt(target, from+4) &&
			(bytes.Contains(name, []byte("date")) || bytes.Contains(name, []byte("day")) || bytes.Contains(name, []byte("month")))
	}
	if !dated {
		return 0
	}
	return year
}

// isMonth tells whether at there are two digits, 01 to 12, and no third beside them.
func isMonth(s []byte, at int) bool {
	return monthAt(s, at) && (at == 0 || !isDigit(s[at-1])) && (at+2 == len(s) || !isDigit(s[at+2]))
}

func monthAt(s []byte, at int) bool {
	if at < 0 || at+2 > len(s) || !isDigit(s[at]) || !isDigit(s[at+1]) {
		return false
	}
	month := 10*(s[at]-'0') + s[at+1] - '0'
	return 1 <= month && month <= 12
}

func isSeparator(s []byte, at int) bool {
	return at >= 0 && at < len(s) && (s[at] == '/' || s[at] == '-' || s[at] == '_' || s[at] == '.')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxName bounds how much of a parameter's name is looked at: its end.
const maxName = 40

// parameter appends to dst the name, in lower case, of the parameter whose value begins at from; nothing if
// none does.
func parameter(dst, target []byte, from int) []byte {
	if from == 0 || target[from-1] != '=' {
		return dst
	}
	name := target[max(0, from-1-maxName) : from-1]
	for _, c := range name[bytes.LastIndexAny(name, "?&;")+1:] {
		dst = append(dst, lower(c))
	}
	return dst
}
