package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// Format is the version of the lines. Later versions may add fields.
const Format = "text-jsonl 1"

// A Line is a line of JSONL: the text of one page. Fields without a value are left out, but for url,
// date, words and text.
type Line struct {
	URL      string   `json:"url"`                // as requested, canonical
	Date     string   `json:"date"`               // WARC-Date: of the request, RFC 3339, UTC, milliseconds
	Title    string   `json:"title,omitempty"`    // TITLE, in one line
	Language string   `json:"language,omitempty"` // ISO 639-1, by the words and n-grams of the text
	Digest   string   `json:"digest,omitempty"`   // WARC-Payload-Digest of the page, as in the archive
	Near     string   `json:"near,omitempty"`     // URL of an earlier page with nearly the same text (xdup -near)
	Label    string   `json:"label,omitempty"`    // what classify said of the page
	Best     string   `json:"best,omitempty"`     // the leaf of a tree of topics that classify found
	Sure     *float64 `json:"sure,omitempty"`     // how sure it was, 0 to 1
	Score    *float64 `json:"score,omitempty"`    // how much the URL was wanted, 0 to 1
	Worth    *float64 `json:"worth,omitempty"`    // what the page was worth, 0 to 1
	Quality  *float64 `json:"quality,omitempty"`  // how sure the model of -quality is that the text is good, 0 to 1
	Cut      bool     `json:"cut,omitempty"`      // true: the page was cut, at its receipt or by -max-page
	Words    int      `json:"words"`              // of the text; in scripts without blanks, half of its characters
	Text     string   `json:"text"`               // the main text, a block a line
}

// lineOf returns the line of an answer without what is read from its body.
func lineOf(a *warc.Answer) (Line, error) {
	date, err := a.Date()
	if err != nil {
		return Line{}, err
	}
	record := a.Record()
	l := Line{URL: record.URL(), Date: date.UTC().Format("2006-01-02T15:04:05.000Z"), Digest: a.PayloadDigest()}
	l.Label, _ = record.Get(urlbatch.Label)
	l.Best, _ = record.Get(urlbatch.Best)
	if near, _ := record.Get(urlbatch.Near); near != l.URL {
		l.Near = near
	}
	share := func(key string) *float64 {
		if !record.Has(key) {
			return nil
		}
		s := record.Share(key)
		return &s
	}
	l.Sure, l.Score, l.Worth = share(urlbatch.Sure), share(urlbatch.Score), share(urlbatch.Worth)
	return l, nil
}

// encode writes the line to b.
func (l *Line) encode(b *bytes.Buffer) error {
	b.Reset()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("encode text of %.200q: %w", l.URL, err)
	}
	return nil
}

// check reports what is wrong with a line that was read from a file.
func (l *Line) check() error {
	_, err := time.Parse(time.RFC3339, l.Date)
	switch {
	case l.URL == "":
		return errors.New("no url")
	case err != nil:
		return fmt.Errorf("date: %w", err)
	case l.Text == "" || l.Words <= 0:
		return errors.New("no text, or no words")
	}
	for name, share := range map[string]*float64{"sure": l.Sure, "score": l.Score, "worth": l.Worth,
		"quality": l.Quality} {
		if share != nil && !(*share >= 0 && *share <= 1) {
			return fmt.Errorf("%s is %v, want 0 to 1", name, *share)
		}
	}
	return nil
}
