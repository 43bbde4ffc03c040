package terms

// A Verdict tells whether a page can be classified by its content, and if not, why (thesis 3.3.2).
type Verdict int

const (
	Classifiable Verdict = iota
	Empty                // the response has neither header nor content
	Invalid              // the status is not 2xx
	NoText               // no term: frames, pictures, numbers
	Short                // too few terms to determine a topic
)

// String returns the verdict's name in reports, as in the thesis.
func (v Verdict) String() string {
	return [...]string{"CLASSIFIABLE", "EMPTY", "INVALID", "NO-TEXT", "SHORT"}[v]
}

// X4Short is the number of terms below which the X4 paper (section 6) considers a page
// unclassifiable. The thesis has no such bound, which corresponds to 1.
const X4Short = 50

// Judge returns the verdict on a response with this HTTP status, or 0 if there was no response. n
// is the number of terms of its page; fewer than short are too few. A response with a header and no
// content is NoText, because it has no term.
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
