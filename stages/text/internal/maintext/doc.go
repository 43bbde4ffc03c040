// Package maintext finds the main text of an HTML page: without menus, sidebars, captions, comments
// and notices.
//
// A page is read once, by package classify/html, without a tree. Its text is cut into blocks at the
// tags that begin a new line. Of each block the number of words is known, and how many are in links
// (the shallow text features of Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using
// Shallow Text Features, 2010). A block reads like a main text if it has more than 16 words, at most
// a third of them in links. Then four rules decide, in this order:
//
//	regions   An element that says by its name (NAV, ASIDE, FOOTER, HEADER, FIGCAPTION, MENU) or by
//	          a word in its class, ID or role ("sidebar", "comments") that it stands beside the
//	          text is left out. Such words are also on elements around the whole page. So a region with
//	          40 % or more of all words that read like a main text is not left out.
//	part      If MAIN has 30 % of these words, only what is in MAIN is looked at. The same goes for
//	          ARTICLE, within MAIN if it has half of its words.
//	blocks    The tree of the paper decides by the numbers of a block and of its neighbours, with
//	          two changes. A short block goes with the block in front of it, so that lists and
//	          dialogues stay whole; and one line of links is no menu, two are. Up to eight short
//	          blocks before the first and behind the last block that reads like a main text are
//	          dropped: dates, shares, titles of other pages. More of them are a list.
//	headings  A heading is kept if the block behind it is.
//
// In scripts without blanks between words two characters count as a word.
//
// # How good
//
// On the 983 pages that go-trafilatura 1.12.2 is evaluated with (mostly German and English news,
// blogs and shops; of each page a few sentences that belong to its main text, and a few that do
// not), and on one core of one machine:
//
//	                              precision  recall  F1      pages of 10 KB a second
//	this package                  0.902      0.909   0.906   32,600
//	go-trafilatura                0.912      0.889   0.900      840
//	the same with its fallback    0.908      0.911   0.910      530
//	go-readability (2025-12-05)   0.870      0.881   0.875    1,000
//	x/net/html, parsing alone                                 1,820
//
// The speeds are CPU time, without reading files, of one of them after the other in three rounds, and
// the medians; of the fallback there was one round. The pages have 140 KB on average, and the speeds
// are their megabytes a second, divided by 10 KB. The numbers in the rules were chosen by every second
// page. On the others this package has F1 0.903, and go-trafilatura, which was developed with all of
// them, 0.904.
//
// Sites of documentation are harder: many short lines, lists and code. On twelve pages of each of 14
// such sites, their main text found by a rule written by hand for each site, the words of the texts
// compared, the means are
//
//	                              precision  recall  F1
//	this package                  0.973      0.931   0.947
//	go-trafilatura                0.990      0.963   0.974
//	go-readability                0.967      0.957   0.960
//
// What is missing is mostly lists of links and short pages. Two of the rules were changed after a look
// at these pages.
//
// # What is not done
//
// There is no knowledge of a site, and none of other pages of the site. Tables are read row by row,
// a cell a block. The page is not laid out, so text that a style sheet hides is text. A page of
// short lines alone (a list of links, a gallery) has no main text.
package maintext
