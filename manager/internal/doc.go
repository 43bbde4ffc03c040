// Package internal is the manager without its command line, in rooms. A room imports only rooms
// that stand below it:
//
//	runner                     runs a script: starts, failures, services, the end
//	ask                        requests to add, retry, drop and forget, through the inbox or at once
//	forecast                   what the next start would do: run -n, recover -n
//	programs                   programs of a script: where they are, if they take their arguments
//	verify                     compares every live file with the log
//	view                       what a crawl looks like: status, why, log, show and ls, also as JSON
//	crawl                      a crawl open for transactions: its start, commits, requests, repair
//	judge                      whether a run that ended may commit, by its files and by its report
//	sched                      which stage may start, and why one does not
//	workdir                    the crawl's directory: its lock, its transactions, recovery
//	progress                   what a running manager prints
//	proc                       processes: their start, their end, what they leave
//	terminal, figure           text, tables, numbers and times for people
//	kind, pace, fault          compression of a batch, records a second, what a failed call means
//	testkit                    scripts and disks for the tests of crawl and runner
//
// To add a verb, begin in package manager, with verbs.go.
package internal
