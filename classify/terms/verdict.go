package terms

// A Verdict says whether a page can be classified by its content, or why not (thesis 3.3.2).
type Verdict int

const (
	Classifiable Verdict = iota
	Empty                // there is no answer: neither header nor content
	Invalid              // the status is not 2xx
	NoText               // no term: frames, pictures, numbers
	Short                // too few terms to tell a topic by
)

// String is the verdict's name in reports, as the thesis has it.
func (v Verdict) String() string {
	return [...]string{"CLASSIFIABLE", "EMPTY", "INVALID", "NO-TEXT", "SHORT"}[v]
}

// X4Short is the number of terms below which the X4 paper (section 6) holds a page for
// unclassifiable. The thesis has no such bound: there it is 1.
const X4Short = 50

// Judge tells the verdict on an answer of this HTTP status, 0 if there was none, whose page has n
// terms; fewer than short are too few. An answer with a header and no content is NoText, as it has
// no term.
func Judge(status, n, short int) Verdict {
	switch {
	case status == 0:
		return Empty
	case status < 200 || status > 299:
		return Invalid
	case n == 0:
		return NoText
	case n < short:
		return Short
	}
	return Classifiable
}
