package main

import (
	"fmt"
	"io"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
)

// showPages prints every known page as a line:
//
//	URL TAB last visit TAB next visit TAB interval TAB visits TAB changes
func showPages(w io.Writer, list string, hash *keyed.Hash) error {
	set, err := segment.OpenSet(list, hash)
	if err != nil {
		return err
	}
	defer set.Close()
	return set.Scan(func(_ uint64, value []byte) error {
		p, err := decodePage(value)
		if err != nil {
			return err
		}
		// The URLs in a state are not trusted. New escapes everything that is not allowed in a URL.
		_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%d\t%d\n", urlbatch.New(p.url).URL(),
			p.visited.UTC().Format(time.RFC3339), p.due().UTC().Format(time.RFC3339), p.interval, p.visits, p.changes)
		return err
	})
}
