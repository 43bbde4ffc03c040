// Package simulate crawls a graph of pages that stands still, in memory, with the packages that the
// stage frontier is made of: package order gives each URL its band, package waiting holds the URLs
// and composes the batches. So what is said here of an order is said of the stage.
//
// A crawl begins with the seeds. It composes a batch, fetches its pages, and takes in their links;
// then it composes the next. The links of a batch are known when the whole batch was fetched, as in
// a real crawl, so with larger batches an order knows less. Its outcome is the order in which pages
// are fetched. It is the same each time.
//
// # Time
//
// Without a pause there is no politeness: a batch is the best URLs that wait, whatever hosts they
// are on, and in a band the host comes first that was not served for longest. With a pause, a batch
// has what a run of fetch can ask the hosts for in the given time, as in the stage, and a clock goes
// on by the time that the batch takes.
//
// # Orders
//
// The orders breadth, depth, random and score are those of package order. Others rise: the score of a URL
// changes while it waits, with the links to it that become known. These are score orders here, with
// a score that a Scorer gives: when it has risen into a better band, the URL is added to the state
// again, and the copy that comes second is dropped. The scorers are
//
//	backlink  number of links from fetched pages (Cho, Garcia-Molina and Page, "Efficient crawling
//	          through URL ordering", 1998)
//	opic      cash: a page has a part of 1, which goes to its links in equal parts when it is
//	          fetched (Abiteboul, Preda and Cobena, "Adaptive on-line page importance computation",
//	          2003); the seeds begin with equal parts
//	pagerank  PageRank over fetched and pending pages (package pagerank), computed anew when the
//	          known pages have grown by a tenth
//	oracle    number of links from all pages of the graph, which no crawl can know
//
// backlink and oracle have a band for each power of two, opic too, pagerank four.
package simulate
