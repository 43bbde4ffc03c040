// Command classify decides which crawler of a collaboration owns a page or a link (thesis, sections
// 3.1 and 3.3).
//
// A collaboration is a set of crawlers, its nodes, that share the Web. nodes.toml lists them
// (package nodes). Two verbs are stages. classify pages assigns pages by their content, after they
// were fetched. classify links assigns links by their URLs, before they are fetched (package
// links). The other verbs are for people: train makes a model, eval measures it, and explain and
// route show how the stage would handle a page, and why.
//
// # Which pages can be classified
//
// The rules are those of the thesis (3.3.2), applied in this order:
//
//	EMPTY     neither a head nor a body: the fetch failed for good; no such URL reaches this stage
//	INVALID   the status is not 2xx. The page stays: most redirects lead back to this crawler, and
//	          an error page has no links worth sending
//	NO-TEXT   the page has no term: only frames, pictures or numbers, or it is not text, as a PDF
//	SHORT     the page has fewer terms than -terms. The thesis has no such rule (-terms 1); X4: 50
//
// -no-text and -short say where pages of the last two kinds go. The thesis gave NO-TEXT pages to
// its crawler #0, so that several crawlers do not keep copies of a page. X4 did the same with SHORT
// pages (6). This spoiled the collection of #0, and the thesis proposes a separate crawler for
// NO-TEXT (6.1): here a node that owns no label (labels = []). A revisit is not judged and stays,
// because an earlier answer has its text.
//
// # Who owns a page
//
// -by topic is the C4 classifier of the thesis (figure 4.4). It first determines the language. For
// an English page it then chooses the topic, which is the label that is most probable by the model.
// A page in another language goes to the node with the label of that language, such as "de", else
// to the node with the label "foreign". If no node has such labels, the language is not determined.
// So one line in nodes.toml adds a crawler for a language. Languages and topics share one set of
// labels: a model with the topic "it" is refused if nodes own languages. A topic below -sure is
// unsure, and its pages may go to a separate output:
//
//	[stage.classify]
//	in  = "pages"
//	out = ["mine", "outgoing", "doubtful"]
//	run = "classify pages … -sure 0.5 -unsure {doubtful} …"
//
// # What is written
//
// Answers are copied in compressed form. A classified answer gets two attributes, in the record of
// its request: label=arts, the topic or language, and for a topic sure=0.873, the share of similar
// pages for which the model is right. A page of another node goes to that node's folder beside
// -outgoing (package outgoing), from which its gofer fetches it. There it is not judged again.
//
// The state remembers which body was sent to which node, together with the URL without its query
// and the head's rules about links (X4, section 3). If the node has the body already, with the same
// links, a revisit record of about 700 bytes is sent instead. The state contains only keys (package
// seen); classify links -verify checks it, too. If the state is lost, bodies are sent again, and
// the receiver's xdup recognizes them.
//
// With -tree and -good an answer also gets worth=0.42, how relevant it is to a focused crawl, and
// best=, its most probable topic (package focus in internal/focus). Without -nodes all pages stay.
//
// Every page is assigned, whatever its bytes: a page that cannot be parsed has no text. Anybody can
// write a page that goes to a node of his choice, but this affects only his page. A batch fails
// only if its file is damaged.
package main

import "multitext/stages/internal/run/stage"

// verbs returns the verbs. The first two are stages of a crawl, the others are used by hand.
func verbs() []stage.Verb {
	return []stage.Verb{pagesVerb(), linksVerb(), routeVerb(), explainVerb(), trainVerb(), evalVerb()}
}

func main() { stage.MainVerbs("classify", "decides which crawler owns a page or a link", verbs()...) }
