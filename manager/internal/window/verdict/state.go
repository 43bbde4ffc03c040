// Package verdict says of a crawl, in a sentence each, how it is and what holds it up. The overview
// asks it about the last minutes, and the report about the whole crawl.
package verdict

import (
	"fmt"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/view"
)

// State says what a crawl is doing, or how it ended. cut is how many runs the next start rolls
// back.
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
	for _, l := range view.Limits(v.Script, v.State) {
		if l.Reached() {
			return "The crawl has stopped at a limit: " + l.Name() + "."
		}
	}
	return "The crawl is stopped, and work waits."
}
