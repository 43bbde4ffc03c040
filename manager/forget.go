package main

import (
	"flag"
	"fmt"

	"multitext/manager/internal/crawl"
)

const forgetHelp = `Lets go of what the script no longer names and the crawl still holds: a stage,
with the batches that it alone still owed; a state, with its segments; a queue,
with its batches. They are removed for good. What the script still names is never
forgotten.` + requestHelp

func forgetVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		if len(args) != 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and a name, got %d arguments", errUsage, len(args))
		}
		return m.ask(args[0], crawl.Request{Verb: "forget", Name: args[1]})
	}
}
