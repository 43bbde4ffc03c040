// Command bench crawls a web of 20,000 pages on this machine as fast as it can, and says what that
// took; with -vs it lets other crawlers do the same in turn.
//
//	go build -o bin/ ./... && bin/bench                       one crawl, and the floor
//	bin/bench -n 5 -vs wget2,wget-warc                        five rounds, with peers
//	bin/bench -n 5 -vs old=/tmp/old/bin                       this build against another one
//	bin/bench -pages 20000,1000000 -hosts 100,5000            does a page cost the same in a large crawl?
//	bin/bench -peer 'mirror=wget -q -r -l inf -H -D test http://h000.test/'    a peer of your own
//	bin/bench -n 5 -window                                    with a page of the window open, beside without
//	bin/bench -tail                                           what holds up a polite crawl? (tail.go)
//
// The crawl is crawl.toml in this folder: that of examples/tour with politeness off and larger
// batches. The web is testweb, on the same cores; what it takes is never counted. A round of
// multitext, the floor, wget2 and wget-warc takes some three minutes on two cores.
//
// # What is printed
//
//	pages/s                pages of the web, by the time from start to exit
//	CPU s/1,000 pages      user and system time of the crawler and all that it started
//	CPU µs an answer       the same by what the web has answered
//	memory, largest, sum   peak of anonymous memory: of the largest process, and of all at one
//	                       moment, looked at each 10 ms in round 0
//	KB written a page      what the crawler caused to be written to storage, less what was removed
//	                       before it was written; 0 on tmpfs
//	(the web's CPU)        that of testweb meanwhile
//	(the window's CPU)     with -window: of the program window, in per cent of one core; its
//	(its reader's CPU)     reader is a client that only follows the page, or Chromium that draws it
//	pages twice            pages that the web has served again; one never served is an error
//	forbidden answers      answers that robots.txt did not allow
//	saved                  URLs that have answers in the WARC files, or files left; fewer than the
//	                       web has served is an error
//	answers in all         what the web has answered, 301, 404 and robots.txt too
//
// A page is one of the web's own pages; copies, redirects, dead links and robots.txt, a fifth more
// requests, are work that comes with it. "multitext is" is the median over the rounds of the ratio
// within a round, for the speed of a machine that others use changes. Each round begins with
// another crawler. Round 0 is not timed: memory is watched and syncs are counted in it, which slows
// a crawl down. Of several sizes each has its rounds before the next one's begin. More answers a
// page come with fewer pages a host, so let the hosts grow with the pages.
//
// # The floor
//
// bin/floor is the least program that does the job: one process that fetches, finds links, keeps a
// seen-set and writes WARC.gz. It has no politeness, no bounds and no way to go on after a crash.
// What a crawler takes beyond it is the price of all that.
//
// # The others
//
// They need names for the hosts and port 80. So bench starts itself again in a network, mount and
// user namespace of its own, where testweb has port 80 and /etc/hosts is a file with all hosts.
// Where the system refuses that, bench says so and runs without them. Each saves what it fetches,
// obeys robots.txt, follows links through the whole web, and waits for nothing (peers.go has the
// command lines). wget-warc leaves WARC.gz as multitext does; the others leave plain files. wget
// and wget2 know no wildcards in robots.txt, hence their forbidden answers. Beyond some thousand
// hosts it is the lookups in /etc/hosts that are measured of them. HOME and TMPDIR are a folder
// that is removed, and file systems are synced between two runs.
package main
