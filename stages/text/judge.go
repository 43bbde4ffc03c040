package main

import (
	"fmt"
	"math"
	"slices"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
)

// goodLabel is the label of the model of -quality that good texts have.
const goodLabel = "good"

// A judge says of a text in which language it is and how good.
type judge struct {
	languages language.Identifier
	quality   *classify.Model // nil: not asked for
	splitter  terms.Splitter
	document  terms.Document
	ranking   classify.Ranking
}

// newJudge returns a judge with the model in a file; "" is none.
func newJudge(model string) (*judge, error) {
	languages, err := language.NewTwoStep(true)
	if err != nil {
		return nil, err
	}
	j := &judge{languages: languages}
	if model == "" {
		return j, nil
	}
	if j.quality, err = classify.Load(model); err != nil {
		return nil, fmt.Errorf("-quality: %w", err)
	}
	if labels := j.quality.Labels(); len(labels) < 2 || !slices.Contains(labels, goodLabel) {
		return nil, fmt.Errorf("-quality %s: the model has the labels %q: train it with %q and another one", model, labels,
			goodLabel)
	}
	return j, nil
}

// read makes text the current one and returns its language, "" if that is not known.
func (j *judge) read(text []byte) string {
	j.document.Read(j.splitter.Text(text))
	return j.languages.Identify(&j.document).Language
}

// good returns how sure the model is that the current text is good, to four digits, or nil without a
// model.
func (j *judge) good() *float64 {
	if j.quality == nil {
		return nil
	}
	j.quality.Classify(&j.document, &j.ranking)
	for _, t := range j.ranking.Topics {
		if t.Label == goodLabel {
			q := math.Round(t.Confidence*1e4) / 1e4
			return &q
		}
	}
	return nil
}
