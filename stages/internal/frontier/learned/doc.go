// Package learned learns, while a crawl goes on, how much a page is worth from what is known of its
// URL before it is fetched, and says so of other URLs: which of those that wait lead to what is
// wanted.
//
// It is logistic regression: the worth of a page, from 0 to 1, is expected to be 1/(1+e^-z), where
// z is the sum of the weights of the URL's features. Each page that was judged moves the weights of
// its features by a step of stochastic gradient descent on the cross-entropy. The step of a weight
// is smaller the more it has moved (AdaGrad: Duchi, Hazan and Singer, Adaptive subgradient methods
// for online learning and stochastic optimization, JMLR 12, 2011, figure 1), so that rare words
// learn at once, and frequent ones settle. Package classify is not for this: its methods need all
// documents of a training at once, with labels.
//
// # Features
//
// A feature is a text, and its weight is that at the text's hash (feature hashing: Weinberger and
// others, Feature hashing for large scale multitask learning, ICML 2009). The hash has the secret
// of the crawl, so nobody can make URLs whose words share weights with those of others. The
// features are
//
//	the words of the URL's host, its folder, and the words of its path and query
//	the words of the link's text (anchor, by extract -anchor)
//	the folder of the page that has the link (via), and whether that page is on the same host
//	what that page was worth (parent), in tenths; as is depth, up to 10
//
// A word is letters and digits, in lower case; a number is the number of its digits. At most
// maxWords words are taken of each. The yield of the host is no feature: package waiting multiplies
// with it.
//
// # What to expect
//
// It finds what the URL, the text of the link or the page before tells. In the set law16, where the
// title of a section is a word of its URL, a simulated crawl (advise -order learned) has half of
// the 832 sections of title 16 after 632 of 18,616 pages; breadth has them after 8,059, an oracle
// after 459. Where as many pages by lot are wanted, it needs 8,736. On the three universities of
// WebKB, without the text of links, it is no better than breadth at finding pages of one role. What
// waits is not judged anew when the model has learned more, so take it with -explore.
//
// # What is remembered
//
// There are weights for 2^15 hashes, in 512 blocks of 64. A block is an entry of the state of
// package waiting, written in a run that has changed it:
//
//	1 byte   version, 1
//	then of each weight that is not 0, in order
//	1 byte   its number in the block, from 0
//	4 bytes  the weight, a float32, little-endian
//	4 bytes  the sum of the squares of its gradients, likewise
//
// So the state has at most 300 KB of it. testdata/v1 has a block, kept for ever.
package learned
