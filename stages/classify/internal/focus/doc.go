// Package focus judges how relevant pages are to a crawl that wants some topics (Chakrabarti, van
// den Berg and Dom, "Focused crawling", 1999, section 3).
//
// A page gets the attributes worth, which is R(d), the probability that it is of a good topic, and
// best, its most probable leaf (package topics). extract -score hands the worth on to the links as
// score, and frontier -order score asks for the links of the most relevant pages first. A URL that
// waits has the greatest score of the pages known to have a link to it: if a better page turns up,
// it rises. The mode says how links are followed:
//
//	soft   as above
//	hard   only the pages whose best leaf is a good topic, or below one, are read for links
//	none   links=0 lets all links have the same score; worth tells what the crawl finds all the same
//
// # Pages that cannot be judged
//
// Revisits, errors and redirects keep their attributes, because extract knows what they are worth,
// and pass in every mode: the target of a redirect has the score of the URL that led to it.
//
// Of a page without text, one with few terms, and one in another language than the model's nobody
// knows the topic. Its worth is 0, because nothing was found. But its links may be good: a page of
// frames, a menu. They are expected to be half as good as the page was expected to be, by its own
// score=: links=0.35 after score=0.7. The half lets a crawl leave a trap of such pages: after seven
// in a row the score of their links is below a hundredth. Of a seed, and of what it redirects to, 1
// is expected. With hard focus such a page is not read for links, as the paper has it. A sitemap is
// a list and no page; it is treated as a page without text, but passes in every mode.
//
// Without Language a page in a language that the model has not learned is judged by the few terms
// that it shares with others, which is as good as chance.
//
// The bytes of a page are not trusted. Whatever they are, R is from 0 to 1, and best is a leaf.
package focus
