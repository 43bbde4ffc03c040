package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"multitext/examples/internal/measures"
)

// figures are what c4 measure prints; with -json they are one object.
type figures struct {
	Version  int              `json:"version"` // of this form: 1
	Crawlers []crawlerFigures `json:"crawlers"`

	Pages    int      `json:"pages"`    // N: answers in the archives
	Distinct int      `json:"distinct"` // I: different URLs of them
	Overlap  float64  `json:"overlap"`  // (N - I) / I
	Coverage *float64 `json:"coverage,omitempty"`
	Quality  *float64 `json:"quality,omitempty"`

	URLsAPage  float64 `json:"urls_sent_per_page"`
	PagesAPage float64 `json:"pages_sent_per_page"`
	BytesAByte float64 `json:"bytes_sent_per_byte_fetched"`
	Imbalance  float64 `json:"largest_load_over_mean"` // of the pages that each crawler fetched
}

// crawlerFigures are those of one crawler.
type crawlerFigures struct {
	Name         string `json:"name"`
	Fetched      int64  `json:"fetched"`       // pages that it fetched itself
	Archived     int64  `json:"archived"`      // pages in its archive
	URLsSent     int64  `json:"urls_sent"`     // to other crawlers
	SentBefore   int64  `json:"sent_before"`   // links to a URL that was sent already
	Summed       int64  `json:"summed"`        // links that were sent as a number with another link to the same URL
	Dropped      int64  `json:"dropped"`       // links to pages of others that nobody follows (firewall)
	Replicated   int64  `json:"replicated"`    // links to popular URLs, which all crawlers have
	PagesSent    int64  `json:"pages_sent"`    // to other crawlers
	BatchesSent  int64  `json:"batches_sent"`  // files in which URLs and pages were sent, the messages of the paper
	BytesSent    int64  `json:"bytes_sent"`    // their sizes
	BytesFetched int64  `json:"bytes_fetched"` // answers of servers, as they came
}

func newFigures() *figures { return &figures{Version: 1} }

// fetched is the number of pages that were fetched, by the counters.
func (f *figures) fetched() (n int64) {
	for _, c := range f.Crawlers {
		n += c.Fetched
	}
	return n
}

// sum makes the figures of all from those of each.
func (f *figures) sum(fetches measures.Fetches[string]) {
	f.Pages, f.Distinct, f.Overlap = fetches.Total(), len(fetches), fetches.Overlap()
	var urls, pages, sent, received int64
	var loads []int64
	for _, c := range f.Crawlers {
		urls, pages = urls+c.URLsSent, pages+c.PagesSent
		sent, received = sent+c.BytesSent, received+c.BytesFetched
		loads = append(loads, c.Fetched)
	}
	f.URLsAPage, f.PagesAPage = measures.Per(urls, f.fetched()), measures.Per(pages, f.fetched())
	f.BytesAByte, f.Imbalance = measures.Per(sent, received), measures.Imbalance(loads)
}

// print prints them for people.
func (f *figures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "crawler\tfetched\tarchived\tURLs sent\tmet before\tsummed\tdropped\treplicated\tpages sent"+
		"\tbatches\tbytes sent\tbytes fetched\t")
	for _, c := range f.Crawlers {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.Name, c.Fetched, c.Archived, c.URLsSent,
			c.SentBefore, c.Summed, c.Dropped, c.Replicated, c.PagesSent, c.BatchesSent, c.BytesSent, c.BytesFetched)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the figures: %w", err)
	}
	fmt.Fprintf(w, "\npages fetched, N            %8d\ndifferent pages, I          %8d\n"+
		"overlap, (N - I) / I        %8.4f\n", f.Pages, f.Distinct, f.Overlap)
	if f.Coverage != nil {
		fmt.Fprintf(w, "coverage, I / U             %8.4f\n", *f.Coverage)
	}
	if f.Quality != nil {
		fmt.Fprintf(w, "quality                     %8.4f\n", *f.Quality)
	}
	_, err := fmt.Fprintf(w, "URLs sent a page            %8.4f\npages sent a page           %8.4f\n"+
		"bytes sent a byte fetched   %8.4f\nlargest load / mean         %8.4f\n",
		f.URLsAPage, f.PagesAPage, f.BytesAByte, f.Imbalance)
	return err
}
