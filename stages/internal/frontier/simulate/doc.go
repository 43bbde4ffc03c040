// Package simulate crawls a graph of pages that stands still, in memory, with the packages of which the
// stage frontier is made. The links of a page that was fetched come in as filter lets them through or
// not: the first link to a page is a new URL, which package order gives its band and State.Add of
// package waiting takes in; others are links to what is known, for State.Link. State.Compose composes
// the batches. So the orders are those of the stage, and a test in examples holds the order of fetches
// against that of a crawl.
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
// # Scores
//
// The order score goes by scores that are known before the crawl, as those of Oracle. The order
// pagerank goes by the PageRank over fetched and pending pages (package centrality), which is computed
// anew when the known links have grown by a tenth; it lifts pages as a stage would, by a record with
// score=.
//
// With Focus a link has the worth of its page as its score, as extract -score writes it: then the order
// score is the soft focus of Chakrabarti, van den Berg and Dom (Focused crawling, 1999, section 3.1). A
// page that waits rises when a page of greater worth is fetched that links to it. With Hubs it is also
// distilled, as by the stage distill: what the best hubs link to on other sites rises to the top.
//
// # Several crawlers
//
// Crawlers that share the pages have a frontier each. They are the parallel crawlers of Cho and
// Garcia-Molina (Parallel crawlers, 2002) with static assignment: Owner is their partitioning
// function, Others their mode, and without an Owner they are independent. In a round each of them
// fetches a batch. What one sends is known to the owner a round later. Cash of opic does not go from
// one to another, and each has the PageRank of the links of its own pages.
//
// The rules are those of classify links. A link to a page of another is dropped, or put aside where
// the crawler has put none to that page aside before, or waits for the next exchange if the page is
// not replicated. What is sent then, Sending says: it matters to orders by links, and not to which
// pages are fetched. Counts tells what the other ways would have sent. Links that are aside are
// followed, the first first, when no page waits; pages of the crawler's own that come of them are
// fetched before the next are followed. So only independent crawlers and those in cross-over mode
// fetch a page that another has; their crawls end when each has all that it can reach.
//
// # Exact orders
//
// The stage has 64 classes of pages. Exact crawls without them, with a ranking of its own.
package simulate
