package links

import (
	"context"
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// replicated returns the keys of the URLs in the file c.Replicated, a URL batch or a list. A file
// that is missing or wrong is an error of the command: no input is to blame.
func (c *Config) replicated(ctx context.Context, hash *keyed.Hash) (map[uint64]bool, error) {
	if c.Replicated == "" {
		return nil, nil
	}
	keys := map[uint64]bool{}
	refuse := func(rec *urlbatch.Record) error { return fmt.Errorf("a line that is no URL: %q", rec.URL()) }
	add := func(rec *urlbatch.Record) error {
		url, err := canon.Parse(rec.URL())
		if err != nil {
			return refuse(rec)
		}
		keys[hash.Sum([]byte(url))] = true
		return nil
	}
	err := urlbatch.Each(ctx, []string{c.Replicated}, nil, report.New(), refuse, add)
	if err != nil {
		return nil, stage.Usagef("read the replicated URLs in %s: %w", c.Replicated, err)
	}
	return keys, nil
}
