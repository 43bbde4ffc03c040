// Package crawled reads what a collaboration of crawlers has left: their archives, as any reader of
// WARC files sees them, and what their managers say of their stages (manager status -json). It
// knows the script examples/c4/c4.toml: the names of its stages and queues, and nothing else of the
// crawl.
package crawled

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"multitext/examples/internal/warcs"
)

// A Status is what is read of a manager's.
type Status struct {
	Stages []struct {
		Name    string
		Records int64
		CPU     float64 `json:"cpu_seconds"`
		Reasons map[string]int64
		Counts  map[string]int64
	}
}

// ReadStatus reads manager status -json.
func ReadStatus(text []byte) (*Status, error) {
	s := &Status{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("read a manager's status: %w", err)
	}
	return s, nil
}

// Records is how many records a stage has read.
func (s *Status) Records(stage string) int64 {
	for _, st := range s.Stages {
		if st.Name == stage {
			return st.Records
		}
	}
	return 0
}

// Count is a counter of a stage, or a reason for which it dropped records.
func (s *Status) Count(stage, name string) int64 {
	for _, st := range s.Stages {
		if st.Name == stage {
			return st.Counts[name] + st.Reasons[name]
		}
	}
	return 0
}

// CPU is the seconds of processor that all stages took.
func (s *Status) CPU() (sum float64) {
	for _, st := range s.Stages {
		sum += st.CPU
	}
	return sum
}

// An Archive is the answers that a crawler has, its own and those it was brought.
type Archive struct {
	Answers map[string]int    // by URL; revisits too, so one for each crawler that fetched it
	Labels  map[string]string // that classify gave, by URL
}

// ReadArchive reads the WARC files of a folder.
func ReadArchive(folder string) (*Archive, error) {
	a := &Archive{map[string]int{}, map[string]string{}}
	files, err := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
	if err != nil {
		return nil, fmt.Errorf("read an archive: %w", err)
	}
	for _, file := range files {
		err := warcs.ReadFile(file, func(r *warcs.Record) error {
			a.take(r.Header.Get("WARC-Type"), r.Header.Get("WARC-Target-URI"), r.Header.Get("Multitext-Attributes"))
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read an archive: %w", err)
		}
	}
	return a, nil
}

// take counts an answer; the attributes that classify has set may stand at its request.
func (a *Archive) take(kind, url, attributes string) {
	if kind == "response" || kind == "revisit" {
		a.Answers[url]++
	}
	for attribute := range strings.FieldsSeq(attributes) {
		if label, ok := strings.CutPrefix(attribute, "label="); ok {
			a.Labels[url] = label
		}
	}
}
