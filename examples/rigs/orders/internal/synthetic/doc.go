// Package synthetic grows link graphs of a million pages, on which orders of the frontier can be
// compared at a size that no collected set here has. There are three models:
//
//	copying    A page copies links of an older page of its host (Kumar and others, "Stochastic models
//	           for the Web graph", 2000, section 2: linear growth copying), and that page links to it.
//	hierarchy  A host is a tree of folders. A page links to its parent, its children, its neighbour and
//	           the first pages of its host, the menu; and to pages drawn by lot, those of other hosts
//	           mostly their roots.
//	block      A host is a block, and nothing counts but blocks and degrees: a link leads into its
//	           block or anywhere, to a page by its weight (Karrer and Newman, "Stochastic blockmodels
//	           and community structure in networks", 2011, section II: degree-corrected).
//
// The sizes of hosts follow a power law, as Huberman and Adamic found ("Growth dynamics of the
// World-Wide Web", 1999). All is drawn from one random source: the same source gives the same graph.
//
// A model is not the Web. Fit tells how near a graph is to another in what a model's parameters were
// chosen by, and Checks in what they were not chosen by: whether to believe what a model says.
package synthetic
