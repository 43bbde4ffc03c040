// Package sim lets crawlers that share a Web by a partition crawl it, in turns and without a
// network. What happens is written to a log, and every figure is counted from the log or a
// beginning of it.
//
// It is a second, independent telling of what the stages do (thesis 3.1.1 and 3.3):
//
//	queue → fetch → whose page? → xdup → links → whose link? → filter → queue
//
// In each turn every crawler that has a URL in its queue fetches one. A page of another crawler
// goes there with the next exchange, and so does a URL; a crawler sends no URL twice to the same
// one (X4's local tables). Who has met a content before does not keep it again, and follows the
// links that lead elsewhere than those of its first page; who has met a URL before does not fetch
// it again. The crawl ends when all queues and all batches on their way are empty.
//
// A crawler's filter knows the URLs of its own links, and only if the crawl says so (Arrived) those
// of pages that others have fetched for it, as X4 has it (4). Else these are fetched once more by
// the owner: part of the duplication that the thesis counts (5.3.2).
package sim
