package report

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/run/percent"
)

// WriteFile checks the law and writes the report to path. It does not overwrite an existing file.
// It does not sync the file, because the manager reads it only once.
func (r *Report) WriteFile(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.check(); err != nil {
		return err
	}
	//failpoint:report-created
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	//failpoint:report-written
	_, err = f.Write(r.lines())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path) // half a report is useless, and would block the next one
		return fmt.Errorf("write report %s: %w", path, err)
	}
	return nil
}

func (r *Report) lines() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "in %d\n", r.in)
	for _, p := range r.out {
		fmt.Fprintf(&b, "out %s %d %d %016x\n", percent.Escape(p.path), p.records, p.size, p.sum)
	}
	for _, p := range r.made {
		fmt.Fprintf(&b, "made %s %d %d %016x\n", percent.Escape(p.path), p.records, p.size, p.sum)
	}
	for _, name := range keys(r.reasons) {
		fmt.Fprintf(&b, "reason %s %d\n", name, r.reasons[name])
	}
	for _, name := range keys(r.counts) {
		fmt.Fprintf(&b, "count %s %d\n", name, r.counts[name])
	}
	for _, name := range keys(r.gauges) {
		fmt.Fprintf(&b, "gauge %s %d\n", name, r.gauges[name])
	}
	for _, name := range keys(r.because) {
		why := r.because[name]
		fmt.Fprintf(&b, "because %s %d %s %s\n", name, why.n, orDash(why.example), orDash(why.remedy))
	}
	for _, s := range r.replaces {
		fmt.Fprintf(&b, "replaces %s\n", percent.Escape(s))
	}
	for _, d := range r.later {
		fmt.Fprintf(&b, "%s %s %s\n", d.word, percent.Escape(d.path), d.at.UTC().Format(time.RFC3339Nano))
	}
	for _, n := range r.notes {
		fmt.Fprintf(&b, "note %s\n", percent.Escape(n))
	}
	return b.Bytes()
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return percent.Escape(text)
}

// Summary checks the law and returns the report as one line for people, without newline:
// "1200 in, 1100 out, 100 depth".
func (r *Report) Summary() (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.check(); err != nil {
		return "", err
	}
	parts := []string{fmt.Sprintf("%d in", r.in), fmt.Sprintf("%d out", records(r.out))}
	if len(r.made) > 0 {
		parts = append(parts, fmt.Sprintf("%d made", records(r.made)))
	}
	for _, name := range keys(r.reasons) {
		parts = append(parts, fmt.Sprintf("%d %s", r.reasons[name], name))
	}
	for _, name := range keys(r.counts) {
		parts = append(parts, fmt.Sprintf("%s %d", name, r.counts[name]))
	}
	for _, name := range keys(r.gauges) {
		parts = append(parts, fmt.Sprintf("%s %d", name, r.gauges[name]))
	}
	for _, n := range r.notes {
		parts = append(parts, strconv.Quote(n))
	}
	return strings.Join(parts, ", "), nil
}
