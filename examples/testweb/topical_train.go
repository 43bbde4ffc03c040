package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// trainTries bounds the search for pages to train on.
const trainTries = 10_000_000

// train writes pages to train a classifier on: the first n of each English topic, as they are
// served, DIR/TOPIC/NUMBER.html. They may be beyond the web's last page. DIR must not be there yet.
func (w *topical) train(dir string, n int) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fmt.Errorf("training pages: %w", err)
	}
	left := 0
	missing := make([]int, len(w.topics))
	for t, topic := range w.topics {
		if topic == foreign {
			continue
		}
		if err := os.Mkdir(filepath.Join(dir, topic), 0o777); err != nil {
			return fmt.Errorf("training pages: %w", err)
		}
		missing[t] = n
		left += n
	}
	for i := 0; left > 0; i++ {
		if i == trainTries {
			return fmt.Errorf("training pages: %d are missing, and the first %d pages of this web have no more", left,
				i)
		}
		p := w.page(i)
		if p.kind != topicalText || missing[p.topic] == 0 {
			continue
		}
		name := filepath.Join(dir, w.topicName(p), padded(missing[p.topic], 5)+".html")
		if err := os.WriteFile(name, w.appendPage(nil, p), 0o666); err != nil {
			return fmt.Errorf("training pages: %w", err)
		}
		missing[p.topic]--
		left--
	}
	return nil
}
