package main

import "slices"

// A way is by what a crawl goes.
type way struct {
	name  string
	order string // of advise
	worth string // of the pages that were fetched: the name of one of worths; "": nobody knows it
	hubs  int    // so many of the best are followed, as by the stage distill
	hard  bool   // the links of pages whose best topic is not good are not followed
}

// Names of what pages are worth.
const (
	byGuide = "R"        // relevance, by the guide
	byLabel = "label"    // 1 if a page is wanted, else 0
	byLot   = "R by lot" // relevance of another page
)

// followedHubs is what distill -hubs is where it is not given.
const followedHubs = 100

// everyWay is all of them.
func everyWay() []way {
	return []way{
		{name: "unfocused", order: "random"},
		{name: "breadth", order: "breadth"},
		{name: "soft", order: "score", worth: byGuide},
		{name: "hard", order: "score", worth: byGuide, hard: true},
		{name: "soft + distiller", order: "score", worth: byGuide, hubs: followedHubs},
		{name: "soft + learned", order: "score,learned", worth: byGuide},
		{name: "URL words", order: "learned", worth: byGuide},
		{name: "oracle parent", order: "score", worth: byLabel},
		{name: "oracle child", order: "score"}, // scores of pages are known, by their labels
		{name: "permuted", order: "score", worth: byLot},
	}
}

// waysOf are the ways of some names.
func waysOf(names []string) []way {
	return slices.DeleteFunc(everyWay(), func(w way) bool { return !slices.Contains(names, w.name) })
}

// worths are what pages are worth.
func (h *hunt) worths(name string) []float64 {
	switch name {
	case byGuide:
		return h.r
	case byLot:
		return h.lot
	}
	worth := make([]float64, len(h.wanted))
	for i, is := range h.wanted {
		if is {
			worth[i] = 1
		}
	}
	return worth
}
