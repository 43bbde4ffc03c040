// Command advise says which order would have found the wanted pages of a crawl first. It reads the
// links of the pages that a crawl has fetched, as extract writes them from its archive, and crawls
// their graph anew in memory, from the same seeds, in every order (package simulate: with the same
// packages as the stage frontier).
//
// # The graph
//
// A page is a URL that a link names in via=: it was fetched, or redirects. A link to another URL is
// left out: it was rejected or could not be fetched, or its page has no links. extract writes
// nothing of the latter, so they are not counted as fetched. Seeds are the pages on which links have
// depth=1, unless -seeds names others.
//
// So of a crawl that was stopped early advise knows the pages that this crawl's order chose, and no
// others. The order score needs links with score=: if a stage of the crawl sets it, give advise the
// links that have passed through that stage (examples/scored).
//
// # What pages were worth
//
// Give advise what extract -judged wrote, too, and it simulates the crawl that knows these worths: a link
// in the order score has the worth of its page, as extract -score writes it, whatever score= says; the
// order learned learns the worths; and the yields of hosts count. Each URL that was judged is a page then,
// also one without links. The oracle is as it is without them. -hubs adds the stage distill.
//
// # Several crawlers
//
// -crawlers simulates the parallel crawlers of Cho and Garcia-Molina (2002), with the partitions and
// modes of classify links: a page belongs to a crawler by -by or -owners, and -others says what is
// done with links to pages of another; -by none is their independent mode. A seed belongs to its
// owner, too; independent crawlers are given the seeds in turn. -exchange counts pages and not
// seconds, for without -delay no time goes by.
//
// A page that several crawlers fetch counts once in the tables. With -fetched -counts it is there as
// often as it is fetched, with the number of the crawler; behind the pages of a crawl is a line with
// # and a JSON object:
//
//	each        URLs sent, if each link to a page of another is sent as it is found
//	batch       URLs sent, if a crawler sends none twice from one exchange to the next
//	ever        URLs sent, if a crawler sends none twice, as by classify links -sent
//	sums        links sent with -links sum, which stand for others
//	messages    batches sent, from one crawler to another at an exchange
//	dropped     links that were dropped
//	aside       URLs that were put aside, each once by a crawler
//	replicated  links to URLs of -replicated, which end
//
// Where many crawlers have small batches, or with -follow 1, a batch is one page. Where there are
// hundreds of hosts that takes some 0.1 ms a page, and with -follow 100 a tenth of it.
//
// # What is wanted
//
// By default the pages to which the most pages of the graph link; of pages with equally many those
// with the smaller hash. Pages that cannot be reached from the seeds do not count.
//
// A batch here is as large as -urls; the links of a batch are known when all of it was fetched. In a
// real crawl with politeness batches are as large as the hosts allow.
package main
