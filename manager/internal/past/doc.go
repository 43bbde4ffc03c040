// Package past sums the history of a crawl, so that a page never reads it again. It adds each
// transaction that has ended to buckets of time, by stage and by queue, and keeps an index of all
// transactions.
//
// It also remembers why batches were set aside, so that Status needs no more of the history.
//
// Records may be added in any order of generations. So the window opens at once: it adds the
// current log first, then the generations in history/, newest first (Fill). Share says how much is
// summed.
//
// # Buckets
//
// There are four series of buckets. The first has buckets of 1 s and goes back 15 minutes from the
// newest transaction; the second has buckets of 10 s and goes back 2 hours, the third has buckets
// of 5 minutes and goes back a day. The last goes back to the beginning: its buckets are 1 s at
// first, and twice as long whenever there are more than 1,024 of them. So the memory is bounded,
// however long a crawl is.
//
// A run is spread over the time that it took: its records, bytes, CPU and time go to each bucket in
// proportion, and so does the run itself. A queue changes at the end of a run.
//
// # Index
//
// The index has 12 bytes for each transaction. List finds with it which transactions are shown, and
// reads these from the log or from history/.
package past
