package again

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns the wait that the value of a Retry-After header demands (RFC 9110, section
// 10.2.3: seconds, or a date), or 0 if there is none. The result is at most Longest, because one
// more request is better than a longer wait.
func RetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	wait := time.Duration(0)
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), Longest)
}
