package main

import (
	"slices"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

// look opens a crawl for a verb that only reads, and says on stderr where what
// is shown goes by another script than the file.
func (m *invocation) look(path string) (*view.Crawl, int, error) {
	c, err := view.Open(path, m.vars.list, time.Now())
	if err != nil {
		return nil, codeOf(err), err
	}
	if c.Notice != "" {
		terminal.Line(m.err, "manager: %s", c.Notice)
	}
	return c, crawl.ExitDone, nil
}

// codeOf is the exit code of a verb that could not read: a script or file that
// is not there is bad usage, damage is damage.
func codeOf(err error) int {
	if code := crawl.ExitCode(err); code != crawl.ExitBroken {
		return code
	}
	return crawl.ExitBad
}

// known refuses a name that is not among those there are.
func known(kind, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return crawl.Unknown(kind, name, names)
}
