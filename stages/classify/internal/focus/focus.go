package focus

import (
	"fmt"
	"slices"
	"strconv"

	"multitext/classify/terms"
	"multitext/classify/topics"
	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// The modes; see the package comment.
const (
	Soft = "soft"
	Hard = "hard"
	None = "none"
)

// Modes returns the modes.
func Modes() []string { return []string{Soft, Hard, None} }

// Options say what is relevant, and how pages are read.
type Options struct {
	Model    *topics.Model
	Good     []int  // by Model.Tree.Good; none: nothing is relevant
	Mode     string // one of Modes
	Language string // judge only pages that are English by this method of package judge; "": all
	ASCII    bool   // read every page as US-ASCII
	Short    int    // a page with fewer terms is not judged
	Max      int64  // judge an answer by at most this many decompressed bytes
}

// New returns a Focus.
func New(o Options) (*Focus, error) {
	if !slices.Contains(Modes(), o.Mode) {
		return nil, fmt.Errorf("%.40q is no mode of a focus: want one of %q", o.Mode, Modes())
	}
	j, err := judge.New(judge.Options{Language: o.Language, ASCII: o.ASCII, Short: o.Short})
	return &Focus{Options: o, judge: j}, err
}

// A Focus judges how relevant pages are. It is not safe for concurrent use.
type Focus struct {
	Options

	judge     *judge.Judge
	judgement topics.Judgement
}

// The kinds of judged pages: whether the best leaf is a good topic, or below one.
const (
	good  = "good"
	other = "other"
)

// A Relevance is what a Focus says of a page.
type Relevance struct {
	Kind   string  // good, other (both judged), no-text, short, foreign or not-judged: a counter
	Worth  float64 // R(d); 0 if the page is not judged
	Best   string  // the most probable leaf; "" if the page is not judged
	Sure   float64 // its probability
	Passes bool    // a revisit, an error or a redirect: it keeps its attributes
}

// Page judges a page.
func (f *Focus) Page(p judge.Page) Relevance {
	if p.Elsewhere {
		return Relevance{Kind: "not-judged", Passes: true}
	}
	switch f.judge.Read(p) {
	case terms.Empty, terms.Invalid:
		return Relevance{Kind: "not-judged", Passes: true}
	case terms.NoText:
		return Relevance{Kind: "no-text"}
	case terms.Short:
		return Relevance{Kind: "short"}
	}
	if f.Language != "" && f.judge.Language().Language != judge.English {
		return Relevance{Kind: "foreign"}
	}
	f.Model.Judge(f.judge.Terms(), &f.judgement)
	best := f.judgement.Best()
	r := Relevance{Kind: other, Worth: f.judgement.Relevance(f.Good), Best: f.Model.Tree.Name(best),
		Sure: f.judgement.Probability(best)}
	if f.judgement.Wanted(f.Good) {
		r.Kind = good
	}
	return r
}

// Judgement returns what the model said of the last page that was judged. It is valid until the
// next one.
func (f *Focus) Judgement() *topics.Judgement { return &f.judgement }

// Answer judges an answer. A list of URLs has no topic.
func (f *Focus) Answer(a *warc.Answer) (Relevance, error) {
	if rel, _ := a.Record().Get(urlbatch.Rel); rel == urlbatch.Sitemap {
		return Relevance{Kind: "not-judged"}, nil
	}
	p, err := judge.FromAnswer(a, f.Max)
	if err != nil {
		return Relevance{}, err
	}
	return f.Page(p), nil
}

// Mark sets the attributes of an answer that does not pass as it is.
func (f *Focus) Mark(rec *urlbatch.Record, r Relevance) {
	rec.Del(urlbatch.Worth, urlbatch.Best, urlbatch.Links)
	rec.Set(urlbatch.Worth, share(r.Worth))
	//failpoint:worth-forgotten rec.Del(urlbatch.Worth)
	if r.Best != "" {
		rec.Set(urlbatch.Best, r.Best)
	}
	switch {
	case f.Mode == None:
		rec.Set(urlbatch.Links, "0")
	case r.Best == "":
		rec.Set(urlbatch.Links, share(expected(rec)/2))
	}
}

// expected is what a URL was expected to be worth when it was asked for: its score. A seed is
// wanted, and so is what it redirects to.
func expected(rec *urlbatch.Record) float64 {
	if rec.Has(urlbatch.Score) {
		return rec.Share(urlbatch.Score)
	}
	if max(rec.Int(urlbatch.Depth), 0) == max(rec.Int(urlbatch.Redirects), 0) && !rec.Has(urlbatch.Rel) {
		return 1
	}
	return 0
}

// Elsewhere reports whether extract is not to read an answer: with a hard focus only pages of good
// topics are read, and sitemaps.
func (f *Focus) Elsewhere(rec *urlbatch.Record, r Relevance) bool {
	rel, _ := rec.Get(urlbatch.Rel)
	return f.Mode == Hard && !r.Passes && r.Kind != good && rel != urlbatch.Sitemap
}

func share(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
