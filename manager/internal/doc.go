// Package internal contains the packages of the manager, all but its command line. A package
// imports only packages below it in this list:
//
//	runner                     runs a script: starts, failures, services, the end
//	ask                        makes the requests add, retry, drop and forget
//	forecast                   predicts what the next start would do: run -n, recover -n
//	programs                   finds the programs of a script and checks their arguments
//	verify                     compares every live file with the log
//	complete                   completes command lines for bash, zsh and fish
//	window/site                answers the requests for the pages of program window
//	window/metrics             answers the scrapes of a Prometheus
//	window/report              one file that tells what happened in a crawl
//	window/verdict             says of a crawl, in a sentence each, how it is and what holds it up
//	window/crawls              finds the crawls that a command line of window names
//	window/chart               draws lines, rows and distributions as SVG, for pages and the report
//	window/peek                reads the first lines of a batch, and finds a text in all of them
//	window/page, window/guard  HTML of the pages, and who may ask for them
//	follow, past               a crawl that is looked at again and again, and sums of its history
//	view                       describes a crawl: status, why, log, show and ls, also as JSON
//	crawl                      opens a crawl for transactions: its start, commits, requests, repair
//	judge                      decides whether a run may commit, by its files and its report
//	sched                      decides which stage may start, and says why one does not
//	workdir                    manages the crawl's directory: its lock, its transactions, recovery
//	progress                   prints the progress of a running manager
//	proc                       starts and ends processes, and finds the processes that they leave
//	terminal, figure           format text, tables, numbers and times for people
//	kind, pace, fault, given   compression of a batch, records a second, failed calls, values of -var
//	built                      from which source a program was built
//	testkit                    scripts and disks for the tests of crawl and runner
//
// To add a verb, begin with verbs.go in package manager.
package internal
