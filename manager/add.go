package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"multitext/manager/internal/crawl"
)

const addHelp = `Brings files into a queue, each as a batch, in one transaction. They are copied,
and keep their extension; they must be what the queue's readers read.` + requestHelp

func addVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		if len(args) < 3 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script, a queue and files, got %d arguments", errUsage, len(args))
		}
		q := crawl.Request{Verb: "add", Name: args[1]}
		for _, file := range args[2:] {
			abs, err := filepath.Abs(file)
			if err != nil {
				return crawl.ExitBad, err
			}
			info, err := os.Stat(abs)
			if err != nil {
				return crawl.ExitBad, err
			}
			if !info.Mode().IsRegular() || info.Size() == 0 {
				return crawl.ExitBad, fmt.Errorf("%s is empty or no regular file, so it is no batch", file)
			}
			q.Files = append(q.Files, abs)
		}
		return m.ask(args[0], q)
	}
}
