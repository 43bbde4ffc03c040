package waiting

import (
	"fmt"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestWhole: a batch is of the best band as long as there is time for that, and of the band that fills it
// each host has its part.
func TestWhole(t *testing.T) {
	for _, tt := range []struct{ good, most, wantGood, mostOfHost int }{
		{5, 50, 50, 11},     // the good ones fill it
		{1, 50, 20, 20},     // they have all their time, and the others the rest
		{20, 50, 50, 4},     // all are good
		{20, 1000, 400, 20}, // there is room for all
		{0, 50, 0, 4},
	} {
		c := newCrawl(t)
		c.run(func(s *State) {
			for h := range 20 {
				host := fmt.Sprintf("h%d.test", h)
				c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
				band := uint8(40)
				if h < tt.good {
					band = 0
				}
				c.add(s, band, urlsOf(host, 100)...)
			}
		})
		c.run(func(s *State) {
			good, most, count := 0, 0, map[int]int{}
			urls := c.compose(s, Plan{Longest: 20 * time.Second, Most: tt.most})
			for _, url := range urls {
				var h int
				if _, err := fmt.Sscanf(url, "http://h%d.test/", &h); err != nil {
					t.Fatal(url, err)
				}
				if count[h]++; h < tt.good {
					good++
				}
				most = max(most, count[h])
			}
			if good != tt.wantGood || most > tt.mostOfHost || len(urls) < min(tt.most, 20*20)-5 {
				t.Errorf("%d good hosts of 20, %d URLs at most: %d URLs, %d good ones, %d of a host; want %d good ones,"+
					" and %d of a host", tt.good, tt.most, len(urls), good, most, tt.wantGood, tt.mostOfHost)
			}
		})
	}
}
