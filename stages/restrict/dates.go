package main

import (
	"bytes"
	"strconv"
	"strings"

	"multitext/stages/internal/run/percent"
)

// A number of four digits counts as a year if it is from firstYear to lastYear. Other numbers name
// something else. An endless calendar passes through these years step by step.
const firstYear, lastYear = 1700, 2199

// years returns the earliest and the latest year of the dates in the path and query of a canonical
// URL, or 0 and 0 if it has none. restrict -h defines what a date is.
func years(target []byte) (earliest, latest int) {
	if plain, err := percent.AppendUnescaped(nil, target); err == nil {
		target = plain
	}
	for to := 0; to < len(target); to++ {
		from := to
		for to < len(target) && isDigit(target[to]) {
			to++
		}
		if year := yearOf(target, from, to); year > 0 {
			if earliest == 0 {
				earliest = year
			}
			earliest, latest = min(earliest, year), max(latest, year)
		}
	}
	return earliest, latest
}

// yearOf returns the year of the date that contains the digits target[from:to], or 0 if no date
// does.
func yearOf(target []byte, from, to int) int {
	if to-from < 4 {
		return 0
	}
	year, _ := strconv.Atoi(string(target[from : from+4]))
	if year < firstYear || year > lastYear {
		return 0
	}
	name, dated := parameter(target, from), false
	switch to - from {
	case 4:
		dated = isSeparator(target, to) && isMonth(target, to+1) ||
			isSeparator(target, from-1) && isMonth(target, from-3) ||
			strings.HasSuffix(name, "year") || strings.HasSuffix(name, "yr")
	case 6, 8:
		dated = monthAt(target, from+4) &&
			(strings.Contains(name, "date") || strings.Contains(name, "day") || strings.Contains(name, "month"))
	}
	if !dated {
		return 0
	}
	return year
}

// isMonth reports whether there are exactly two digits at index at, from 01 to 12.
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
	return at >= 0 && at < len(s) && strings.IndexByte("/-_.", s[at]) >= 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxName is the number of bytes at the end of a parameter's name that are examined.
const maxName = 40

// parameter returns the name, in lower case, of the parameter whose value begins at from, or "" if
// no value begins there.
func parameter(target []byte, from int) string {
	if from == 0 || target[from-1] != '=' {
		return ""
	}
	name := target[max(0, from-1-maxName) : from-1]
	return strings.ToLower(string(name[bytes.LastIndexAny(name, "?&;")+1:]))
}
