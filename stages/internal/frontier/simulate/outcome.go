package simulate

// An Outcome is what came of a crawl.
type Outcome struct {
	Pages []uint32 // in the order in which they were fetched; one that several crawlers fetched occurs as often
	By    []uint16 // of each of Pages, which crawler fetched it
	Sent  Counts
}

// Counts are the links to pages of others, on the pages that were fetched. Each page has a link once. Each, Batch
// and Ever are told whatever is sent.
type Counts struct {
	Each     uint64 `json:"each"`     // URLs that were sent, if each is as it is found
	Batch    uint64 `json:"batch"`    // if none is sent twice between two exchanges, as by Cho and Garcia-Molina
	Ever     uint64 `json:"ever"`     // if a crawler sends none twice in the crawl, as by classify links -sent
	Sums     uint64 `json:"sums"`     // with Sum: links that were sent, which stand for others
	Messages uint64 `json:"messages"` // batches that were sent, from one crawler to another at an exchange

	Dropped    uint64 `json:"dropped"`    // links, with Drop
	Aside      uint64 `json:"aside"`      // URLs, with Aside, each once by a crawler, whether they were followed or not
	Replicated uint64 `json:"replicated"` // links to replicated pages, which were not sent
}
