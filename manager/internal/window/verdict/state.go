// Package verdict says of a crawl, in a sentence each, how it is and what holds it up. The overview
// asks it about the last minutes, and the report about the whole crawl.
package verdict

import (
	"fmt"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/view"
)

// State says what a crawl is doing, or how it ended. cut is how many runs the next start rolls back.
func State(v *view.Crawl, cut int) string {
	done, failed := v.Done()
	switch {
	case !v.Begun:
		return "The crawl has not begun."
	case v.Holder != nil:
		return "The crawl runs."
	case cut > 0:
		return fmt.Sprintf("The crawl was cut off: its manager was killed. The next start rolls %s back.",
			figure.Count(cut, "run"))
	case done && failed:
		return "The crawl has ended with failed work."
	case done:
		return "The crawl has ended: nothing is left to do."
	}
	if limit := limit(v); limit != "" {
		return "The crawl has stopped at a limit: " + limit + "."
	}
	return "The crawl is stopped, and work waits."
}

// limit returns the limit of [stop] that a crawl has reached; "" if there is none.
func limit(v *view.Crawl) string {
	for _, l := range v.Script.Stop.Records {
		if v.State.Queue(l.Queue).Records >= l.Limit {
			return "records in " + l.Queue
		}
	}
	for _, l := range v.Script.Stop.Bytes {
		if v.State.Queue(l.Queue).Bytes >= l.Limit {
			return "bytes in " + l.Queue
		}
	}
	return ""
}
