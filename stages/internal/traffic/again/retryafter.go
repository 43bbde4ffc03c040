package again

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns how long a server wants to be left alone by the Retry-After header of its
// answer (RFC 9110, section 10.2.3: seconds, or a date), or 0 if it does not say: at most Longest,
// for a longer wait is better spent on asking once more.
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
