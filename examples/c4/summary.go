package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// status is what is read of manager status -json.
type status struct {
	Begun  bool
	Stages []struct {
		Name            string
		Records         int64
		Counts, Reasons map[string]int64
	}
	Queues []struct {
		Name string
		Ever total
	}
}

// total is all that was ever committed to a queue.
type total struct{ Batches, Records, Bytes int64 }

// stage is what is known of a stage.
func (s *status) stage(name string) (records int64, counts map[string]int64) {
	for _, st := range s.Stages {
		if st.Name == name {
			return st.Records, st.Counts
		}
	}
	return 0, nil
}

// reason is how many records all stages together have dropped for a reason.
func (s *status) reason(name string) (n int64) {
	for _, st := range s.Stages {
		n += st.Reasons[name]
	}
	return n
}

// ever is what is known of a queue.
func (s *status) ever(queue string) total {
	for _, q := range s.Queues {
		if q.Name == queue {
			return q.Ever
		}
	}
	return total{}
}

// summary says what came of it, a line for each crawler.
func (c *collaboration) summary(w io.Writer) error {
	fmt.Fprintf(w, "\nQuiet after %.0fs, %d starts of managers\n\n", time.Since(c.begun).Seconds(), c.starts())
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "crawler\tfetched\tkept\tsent\tbrought in\tarchived\t")
	for _, one := range c.crawlers {
		s, err := one.status()
		if err != nil {
			return err
		}
		fetched, counts := s.stage("pages")
		brought, _ := s.stage("gofer")
		archived, _ := s.stage("extract")
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t\n", one.name, fetched, counts["kept"], counts["sent"], brought,
			archived)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	fmt.Fprintf(w, "\nThe archives are in %s\n", c.path("crawl", "NODE", "archive"))
	return nil
}

// status asks the manager how a crawler stands.
func (one *crawler) status() (s status, err error) {
	text, err := one.manager("status", "-json").Output()
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("ask how %s stands: %w", one.name, err)
	}
	return s, nil
}
