package main

import (
	"fmt"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/testkit/stagetest"
)

// exchanges packs answers of a host, one for each element of all, with a pause between them.
func exchanges(t testing.TB, host string, from int, all []int, status int, pause time.Duration) (packed []warc.Packed) {
	t.Helper()
	for i := range all {
		x := stagetest.Answer(t, fmt.Sprintf("http://%s/%d\tdepth=%d", host, from+i, i%3),
			fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello", status))
		x.Date = noon.Add(time.Duration(from)*time.Minute*10 + time.Duration(i)*pause)
		packed = append(packed, stagetest.Pack(t, x))
	}
	return packed
}
