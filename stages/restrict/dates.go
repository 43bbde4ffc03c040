package main

import (
	"strconv"
	"strings"

	"multitext/stages/internal/percent"
)

// firstYear and lastYear bound what is taken for a year; other numbers of four digits are names of
// things. A calendar without end comes by these years, step by step.
const firstYear, lastYear = 1700, 2199

// years gives the earliest and the latest year of the dates in the path and query of a canonical
// URL, 0 and 0 if it has none. The package comment tells what is a date.
func years(target string) (earliest, latest int) {
	if plain, err := percent.Unescape(target); err == nil {
		target = plain
	}
	for from := 0; from < len(target); {
		to := from
		for to < len(target) && isDigit(target[to]) {
			to++
		}
		if y := yearOf(target, from, to); y > 0 && latest == 0 {
			earliest, latest = y, y
		} else if y > 0 {
			earliest, latest = min(earliest, y), max(latest, y)
		}
		from = to + 1
	}
	return earliest, latest
}

// yearOf gives the year of the date that the digits target[from:to] belong to, 0 if to none.
func yearOf(target string, from, to int) int {
	if n := to - from; n != 4 && n != 6 && n != 8 {
		return 0
	}
	year, err := strconv.Atoi(target[from : from+4])
	if err != nil || year < firstYear || year > lastYear {
		return 0
	}
	name := parameter(target, from)
	dated := false
	if to-from == 4 {
		dated = isSeparator(target, to) && isMonth(target, to+1) || isSeparator(target, from-1) && isMonth(target, from-3) ||
			strings.HasSuffix(name, "year") || strings.HasSuffix(name, "yr")
	} else {
		dated = (strings.Contains(name, "date") || strings.Contains(name, "day") || strings.Contains(name, "month")) &&
			monthAt(target, from+4)
	}
	if !dated {
		return 0
	}
	return year
}

// isMonth tells whether at there are two digits, 01 to 12, and no third beside them.
func isMonth(s string, at int) bool {
	return monthAt(s, at) && (at == 0 || !isDigit(s[at-1])) && (at+2 == len(s) || !isDigit(s[at+2]))
}

func monthAt(s string, at int) bool {
	return at >= 0 && at+2 <= len(s) && "01" <= s[at:at+2] && s[at:at+2] <= "12" && isDigit(s[at]) && isDigit(s[at+1])
}

func isSeparator(s string, at int) bool {
	return at >= 0 && at < len(s) && strings.IndexByte("/-_.", s[at]) >= 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxName bounds how much of a parameter's name is looked at: its end.
const maxName = 40

// parameter gives the name, in lower case, of the parameter whose value begins at from, "" if none does.
func parameter(target string, from int) string {
	if from == 0 || target[from-1] != '=' {
		return ""
	}
	name := target[max(0, from-1-maxName) : from-1]
	return strings.ToLower(name[strings.LastIndexAny(name, "?&;")+1:])
}
