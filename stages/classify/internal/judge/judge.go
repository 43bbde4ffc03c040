// Package judge says what a page is: whether it can be classified, which language it is written in,
// and which topic it is about (thesis, sections 3.3.2, 4.4 and 4.5).
//
// A Judge has one page at hand. The questions are asked one after the other, each only if the
// answer before makes it meaningful: the topic of a page without text is none, and a classifier
// that learned from English pages knows nothing of foreign ones.
//
//	verdict := j.Read(page)         // EMPTY, INVALID, NO-TEXT, SHORT, or CLASSIFIABLE
//	guess := j.Language()           // "en", or another
//	topic, sure := j.Topic()
//
// A page's bytes come from a stranger. Whatever they are, they are read as something: nothing of a
// page is an error, and time and memory grow with its length only.
package judge

import (
	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
)

// Options say how pages are judged.
type Options struct {
	Model    *classify.Model // names the topic; nil: Topic is not asked
	Language string          // the method: TwoStep, Words or NGrams; "": Language is not asked
	Named    bool            // Language names foreign languages, too; NGrams always does
	ASCII    bool            // the thesis's brute force: every page is taken for US-ASCII, whatever its charset
	Short    int             // a page of fewer terms is SHORT; 1 knows no such page
}

// A Judge judges one page after the other. It is for one goroutine.
type Judge struct {
	model    *classify.Model
	language language.Identifier // nil: Language is not asked
	short    int
	splitter terms.Splitter
	page     classify.Document
	ranking  classify.Ranking
}

// New makes a Judge.
func New(o Options) (*Judge, error) {
	id, err := identifier(o.Language, o.Named)
	if err != nil {
		return nil, err
	}
	return &Judge{model: o.Model, language: id, short: o.Short, splitter: terms.Splitter{ASCII: o.ASCII}}, nil
}

// Read takes a page at hand and says whether it can be classified.
func (j *Judge) Read(p Page) terms.Verdict {
	j.page.Reset()
	if verdict := terms.Judge(p.Status, 1, 0); verdict != terms.Classifiable {
		return verdict // and its text tells nothing
	}
	j.page.Read(p.terms(&j.splitter))
	return terms.Judge(p.Status, j.page.Total(), j.short)
}

// Terms is the bag of terms of the page at hand, which the next Read changes.
func (j *Judge) Terms() *classify.Document { return &j.page }

// Language guesses the language of the page at hand; what its score is, the method says.
func (j *Judge) Language() language.Guess { return j.language.Identify(&j.page) }

// Topic gives the label of the page at hand, and how sure the model is of it, from 0 to 1.
func (j *Judge) Topic() (label string, sure float64) {
	j.model.Classify(&j.page, &j.ranking)
	best := j.ranking.Topics[0]
	return best.Label, best.Confidence
}
