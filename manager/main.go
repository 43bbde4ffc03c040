// Command manager runs a crawl script: it starts the script's stages whenever a
// batch waits for one, and makes every run a transaction. It knows processes,
// files, queues and transactions, and nothing of what is in a batch.
//
//	manager run SCRIPT       run, or take up where it was left
//	manager help             all verbs and the exit codes
//
// The script's language is the comment of package multitext/script, the log's
// format and the rule of recovery that of multitext/txlog.
package main

import (
	"os"
	"runtime"
)

func main() {
	// Processes die with the thread that started them, so this one stays.
	runtime.LockOSThread()
	m := &invocation{out: os.Stdout, err: os.Stderr}
	os.Exit(m.run(os.Args[1:]))
}
