// Command bench crawls a web of 20,000 pages on this machine as fast as it can, and says what that
// took; with -vs it lets other crawlers do the same in turn.
//
//	go build -o bin/ ./... && bin/bench                       one crawl, and the floor
//	bin/bench -n 5 -vs wget2,wget-warc                        five rounds, with peers
//	bin/bench -n 5 -vs old=/tmp/old/bin                       this build against another one
//	bin/bench -pages 20000,1000000 -hosts 100,5000            does a page cost the same in a large crawl?
//	bin/bench -pages 100000 -hosts 100,1000,10000             ... and on more hosts?
//
// The crawl is crawl.toml in this folder: that of examples/tour with politeness off and larger
// batches. The web is testweb, started by bench; what it takes is told apart and never counted. It
// runs on the same cores, so the pages a second of all crawlers are fewer than with a web
// elsewhere.
//
// On two cores a round of multitext, the floor, wget2 and wget-warc takes some three minutes, two
// of them wget-warc's, and round 0 is one more. With -pages 2000 it is seconds: enough to see that
// all works, but there the start of a crawl weighs more than its pages.
//
// # What is printed
//
//	pages/s                pages of the web, by the time from start to exit
//	CPU s/1,000 pages      user and system time of the crawler and all that it started
//	CPU µs an answer       the same by what the web has answered
//	memory, largest, sum   peak of anonymous memory: of the largest process, and of all at one
//	                       moment (resident less file pages in /proc/PID/statm, looked at each 10 ms;
//	                       what comes and goes in between is missed); of round 0
//	KB written a page      what the crawler caused to be written to storage (write_bytes in
//	                       /proc/self/io less cancelled_write_bytes, of files removed soon; in pages of
//	                       memory, the file system's own log not counted; 0 on tmpfs)
//	(the web's CPU)        that of testweb meanwhile, which is not the crawler's
//	pages twice            pages that the web says it has served again; one that it has not served at all is an
//	                       error: a crawler that gives up early is not called fast
//	forbidden answers      answers that robots.txt did not allow
//	saved                  the URLs that have answers in its WARC files, all of which are read again, or the
//	                       files it has left; fewer URLs than the web has served, or fewer files than it
//	                       has pages, is an error
//	answers in all         what the web has answered, 301, 404 and robots.txt too
//
// A page is one of the web's own pages, for all of them; copies, redirects, dead links and
// robots.txt, a fifth more requests, are work that comes with it. "multitext is" says how many
// times the figure of the column multitext's is: the median over the rounds of the ratio within a
// round, for the speed of a machine that others use, too, changes from round to round. Below stands
// where the CPU went, by stage, as the log has it; the manager is what remains of the sum. Peak
// resident is the largest process of a stage, pages of files included, and so more than the memory
// above. Each round begins with another crawler.
//
// Of several sizes each has its rounds before the next one's begin; a table at the end says how
// many times the figures of the first size those of the others are. The floor's tell how much of
// that is the machine's. Each host has some answers beside its pages, so fewer pages a host are
// more answers a page (1.24 with 200, 1.70 with 20): to see what a large crawl does to the cost of
// a page, let the hosts grow with the pages.
//
// Round 0 is not timed: in it memory is watched, and syncs are counted, by strace where that is
// installed. Either slows a crawl down; to look at a process in /proc, too: whoever waits for its
// end has to wait for the look.
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
// Where the system refuses that it says so, takes a free port, and runs without them. Each saves
// what it fetches, obeys robots.txt, follows links through the whole web, and waits for nothing;
// their command lines stand in peers.go, and are printed by -json. wget-warc is wget that leaves
// WARC.gz, as multitext and the floor do; the other peers leave files, not compressed. The web is
// testweb -plain: without what makes many crawlers lose pages. wget and wget2 know no wildcards in
// robots.txt, hence their forbidden answers, and ask for pictures and style sheets, too, which
// multitext's scope.txt rejects. Between two runs file systems are synced, so that nobody pays for
// the one before. HOME and TMPDIR are a folder that is removed: no settings of the user's are read,
// and nothing is left behind. Names come from that file, which the system reads for each lookup:
// beyond some thousand hosts it is this that is measured of others.
//
// One that is not listed is tried with -peer:
//
//	bin/bench -peer 'mirror=wget -q -r -l inf -H -D test http://h000.test/'
//
// # The tail
//
// -tail asks something else: is anything held up by the slowest host? Politeness is on, and hosts
// send at speeds that differ a thousandfold. What is printed is when half of all answers were
// there, 90, 99 and 100 % (by the web's own count, looked at each 0.1 s), and when politeness alone
// would have let them be there: each host asked from the first moment on, its answers as long as
// they took, each followed by the delay. To find the links first would cost a crawler that follows
// each at once a tenth of a second on this web. One of batches sees the links of a page when the
// run that has fetched it is over: the ratio says what that costs. It is largest at the beginning,
// when five runs in a row find the pages. The script is tail.toml: with a frontier, and a second stage
// of fetch for slow hosts. fetch -tail is another thing, a means against that, and at its default in
// this crawl.
//
// # JSON
//
// -json prints an object for each size (format version 1):
//
//	version       1
//	pages, hosts  of the web
//	work          {dir, filesystem} of the crawls; the folder is removed
//	enclosed      whether bench ran in namespaces of its own
//	contestants   a list: name; command; runs, one for each round, with what is listed above; figures:
//	              by name {median, min, max, multitext_is}
//	stages        of multitext, medians: name, runs, cpu_seconds, share; the manager is one of them
//	transactions  of a crawl
//	fsyncs        of a crawl, null where they were not counted
//
// and with -tail version, pages, hosts, answers, seconds, and quantiles, a list: percent, seconds,
// bound, ratio.
package main
