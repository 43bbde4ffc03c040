// Package judge determines whether a page can be classified, its language, and its topic (thesis,
// sections 3.3.2, 4.4 and 4.5).
//
// A Judge handles one page at a time. Ask the questions in this order, and each only if the answer
// before makes it meaningful: a page without text has no topic, and a classifier that learned from
// English pages cannot judge foreign ones.
//
//	verdict := j.Read(page)         // EMPTY, INVALID, NO-TEXT, SHORT, or CLASSIFIABLE
//	guess := j.Language()           // "en" or another code
//	topic, sure := j.Topic()
//
// The bytes of a page are not trusted. A Judge accepts any bytes: no page is an error, and time and
// memory are proportional to the length.
package judge

import (
	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
)

// Options say how pages are judged.
type Options struct {
	Model    *classify.Model // the model for Topic; nil: Topic must not be called
	Language string          // TwoStep, Words or NGrams; "": Language must not be called
	Named    bool            // Language also names foreign languages; NGrams always does
	ASCII    bool            // read every page as US-ASCII, as the thesis does, whatever its charset
	Short    int             // a page with fewer terms is SHORT; with 1 no page is
}

// A Judge judges one page after another. It is not safe for concurrent use.
type Judge struct {
	model    *classify.Model
	language language.Identifier // nil: Language must not be called
	short    int
	splitter terms.Splitter
	page     classify.Document
	ranking  classify.Ranking
}

// New returns a Judge.
func New(o Options) (*Judge, error) {
	id, err := identifier(o.Language, o.Named)
	if err != nil {
		return nil, err
	}
	return &Judge{model: o.Model, language: id, short: o.Short, splitter: terms.Splitter{ASCII: o.ASCII}}, nil
}

// Read makes p the current page and returns whether it can be classified.
func (j *Judge) Read(p Page) terms.Verdict {
	j.page.Reset()
	if verdict := terms.Judge(p.Status, 1, 0); verdict != terms.Classifiable {
		return verdict // its text is not needed
	}
	j.page.Read(p.terms(&j.splitter))
	return terms.Judge(p.Status, j.page.Total(), j.short)
}

// Terms returns the bag of terms of the current page. It is valid until the next Read.
func (j *Judge) Terms() *classify.Document { return &j.page }

// Language guesses the language of the current page. The meaning of the score depends on the
// method.
func (j *Judge) Language() language.Guess { return j.language.Identify(&j.page) }

// Topic returns the label of the current page, and how sure the model is, from 0 to 1.
func (j *Judge) Topic() (label string, sure float64) {
	j.model.Classify(&j.page, &j.ranking)
	best := j.ranking.Topics[0]
	return best.Label, best.Confidence
}
