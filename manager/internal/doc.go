// Package internal is the manager without its command line, in rooms. A room imports only rooms that
// stand below it:
//
//	runner                     runs a script: starts, failures, services, the end
//	ask                        has a request of add, retry, drop or forget carried out, through the inbox or at once
//	forecast                   what the next start would do: run -n, recover -n
//	programs                   the programs that a script names: where they are, and whether they take their arguments
//	verify                     every live file held against the log
//	view                       what a crawl looks like: status, why, log, show and ls, as text and as JSON
//	crawl                      a crawl that is open for transactions: its start, commits, requests, repair
//	judge                      whether a run that ended may commit, by its files and by its report
//	sched                      which stage may start, and why one does not
//	workdir                    the crawl's directory: its lock, its transactions, recovery
//	progress                   what a running manager prints
//	proc                       processes: their start, their end, what they leave
//	terminal, figure           text, tables, numbers and times for people
//	kind, pace, fault          what a batch is compressed by, records a second, what a failed call says
//	crawltest                  scripts and disks for the tests of crawl and runner
//
// Whoever adds a verb begins in package manager, with verbs.go.
package internal
