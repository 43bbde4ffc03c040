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
// # What is wanted
//
// By default the pages to which the most pages of the graph link; of pages with equally many those
// with the smaller hash. Pages that cannot be reached from the seeds do not count.
//
// A batch here is as large as -urls; the links of a batch are known when all of it was fetched. In a
// real crawl with politeness batches are as large as the hosts allow.
package main
