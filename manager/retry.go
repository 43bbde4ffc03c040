package main

import (
	"flag"
	"fmt"

	"multitext/manager/internal/crawl"
)

const retryHelp = `Puts back the batches that were set aside, or wait after a failure, by a stage or
by all stages: they are due at once and have all their tries again. So is a stage
that rests after failures, with batches or by the clock.` + requestHelp

func retryVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		if len(args) < 1 || len(args) > 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and at most one stage, got %d arguments", errUsage, len(args))
		}
		q := crawl.Request{Verb: "retry"}
		if len(args) == 2 {
			q.Name = args[1]
		}
		return m.ask(args[0], q)
	}
}
