package main

import (
	"strings"
	"testing"
)

func TestYears(t *testing.T) {
	for _, tt := range []struct {
		target           string
		earliest, latest int // 0: no date
	}{
		{"/2031/05/", 2031, 2031},
		{"/2031/05/17/title", 2031, 2031},
		{"/cal-2031-05", 2031, 2031},
		{"/2031_12.html", 2031, 2031},
		{"/2031.01.02", 2031, 2031},
		{"/05/2031/", 2031, 2031},
		{"/?day=17.05.2031", 2031, 2031},
		{"/?from=2031-05-01T00:00&to=2032-06-01", 2031, 2032},
		{"/1999/12/?date=2031-05", 1999, 2031},
		{"/?year=2031&month=5", 2031, 2031},
		{"/?a=b&tx_cal%5Byear%5D=1&CalYear=2031", 2031, 2031},
		{"/?yr=2031", 2031, 2031},
		{"/?date=20310517", 2031, 2031},
		{"/?startDate=20310517T101010", 2031, 2031},
		{"/?month=203105", 2031, 2031},
		{"/?d=05%2F2031", 2031, 2031},
		{"/1700/01/", 1700, 1700},
		{"/2199/12/", 2199, 2199},

		{"/", 0, 0},
		{"/2031/", 0, 0},
		{"/2031/5/", 0, 0},
		{"/2031/13/", 0, 0},
		{"/2031/00/", 0, 0},
		{"/2031/051/", 0, 0},
		{"/12031/05/", 0, 0},
		{"/20310/05/", 0, 0},
		{"/105/2031/", 0, 0},
		{"/1699/05/", 0, 0},
		{"/2200/05/", 0, 0},
		{"/20310517/", 0, 0},
		{"/?id=20310517", 0, 0},
		{"/?date=20311317", 0, 0},
		{"/?date=2031051", 0, 0},
		{"/?x=2031", 0, 0},
		{"/year=2031x/?yearly=2031", 2031, 2031}, // a name may stand in the path, too
		{"/2031", 0, 0},
		{"/2031-", 0, 0},
		{"05/2031", 2031, 2031},
		{"/?" + strings.Repeat("y", 2*maxName) + "year=2031", 2031, 2031},
	} {
		if first, last := years([]byte(tt.target)); first != tt.earliest || last != tt.latest {
			t.Errorf("years(%q) = %d, %d; want %d, %d", tt.target, first, last, tt.earliest, tt.latest)
		}
	}
}

func FuzzYears(f *testing.F) {
	for _, s := range []string{"/2031/05/?date=20310517&x=%2", "2031", "12.2031", "=2031", "/%32031-05", "=203105"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		earliest, latest := years([]byte(target))
		if earliest == 0 && latest == 0 {
			return
		}
		if earliest < firstYear || latest > lastYear || earliest > latest {
			t.Errorf("years(%q) = %d, %d", target, earliest, latest)
		}
	})
}
