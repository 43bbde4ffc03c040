package sim

import (
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Anyone owns what stays where it is: the page of whoever fetched it.
const Anyone = -1

// Owners has the crawler that owns each page, or Anyone. nil: Anyone owns all.
type Owners []int

func (o Owners) of(page int) int {
	if o == nil {
		return Anyone
	}
	return o[page]
}

// A Partition says who owns what. Content-oriented ones, which act after retrieval, have Pages;
// URL-oriented ones, which act before, have URLs; combination hashing has both (thesis 3.1.1). In
// X4's alternative (section 7) From is the owner of the pages: they stay where they were fetched,
// and their links go to the owner. Without any of them nothing is ever exchanged.
type Partition struct {
	Name  string
	Pages Owners
	URLs  Owners
	From  Owners
}

// page is who gets a page once it is fetched.
func (p *Partition) page(page int) int { return p.Pages.of(page) }

// link is who gets a link.
func (p *Partition) link(from, to int) int {
	if p.From != nil {
		return p.From[from]
	}
	return p.URLs.of(to)
}

// topic is whose the content of a page is, whoever holds it.
func (p *Partition) topic(page int) int {
	if p.From != nil {
		return p.From[page]
	}
	return p.Pages.of(page)
}

// ContentOriented tells whether pages are kept or sent (definition 3.1.2).
func (p *Partition) ContentOriented() bool { return p.Pages != nil || p.From != nil }

// URLOriented tells whether links are (definition 3.1.1).
func (p *Partition) URLOriented() bool { return p.URLs != nil }

// ByLabel gives each page to the crawler that its label names; labels are in the order of the
// crawlers. A page of another label stays with anyone.
func ByLabel(labels []string, of []string) Owners {
	owners := make(Owners, len(of))
	for i, l := range of {
		owners[i] = slices.Index(labels, l) // −1 is Anyone
	}
	return owners
}

// ByHash spreads keys over n crawlers.
func ByHash(n int, keys []string) Owners {
	owners := make(Owners, len(keys))
	for i, k := range keys {
		owners[i] = int(xxhash.Sum64String(k) % uint64(n))
	}
	return owners
}

// Constant gives all of so many pages to the first crawler.
func Constant(pages int) Owners { return make(Owners, pages) }

// Permuted are the same owners, each of as many pages, dealt out at random. What Anyone has stays.
func Permuted(o Owners, random *rand.Rand) Owners {
	var at []int
	for page, owner := range o {
		if owner != Anyone {
			at = append(at, page)
		}
	}
	dealt := slices.Clone(o)
	for i, j := range random.Perm(len(at)) {
		dealt[at[i]] = o[at[j]]
	}
	return dealt
}
