// Command classify decides which crawler of a collaboration owns a page or a link (thesis, sections
// 3.1 and 3.3).
//
// A collaboration is several crawlers that share the Web, its nodes; nodes.toml names them (package
// nodes). Two verbs are stages: classify pages assigns pages after they were fetched, by what they
// say; classify links assigns links before they are fetched, by their URLs (package links). The
// others are for people: train makes a model, eval measures it, explain and route tell what the
// stage would do with a page, and why.
//
// # Which pages can be classified
//
// The rules are the thesis's (3.3.2), asked in this order:
//
//	EMPTY     neither a head nor a body: the fetch failed for good, and such a URL never gets here
//	INVALID   the status is not 2xx. It stays: a redirect leads back here more often than not, and
//	          an error page has no links worth sending
//	NO-TEXT   there is no term in it: frames, pictures, numbers, and what is no text, as a PDF
//	SHORT     there are fewer terms than -terms. The thesis has no such rule (-terms 1); X4 has 50
//
// -no-text and -short say where the last two go. The thesis gave NO-TEXT to its crawler #0, so that
// copies of a page are not in several crawlers, and X4 SHORT (6). That marred what #0 kept, and the
// thesis proposes a crawler for NO-TEXT alone (6.1): here a node that owns no label (labels = []).
// A revisit is not judged, because its text is with an earlier answer. It stays.
//
// # Who owns a page
//
// -by topic is the thesis's C4 classifier (figure 4.4): first the language, then, of English pages,
// the topic, which is the label that the model is surest of. A page in another language goes to the
// node with the label of that language, as "de", else to the one with the label "foreign"; where no
// node has either, no language is asked for. So a line in nodes.toml gives a language a crawler of
// its own. Languages and topics are labels of one kind: a model with the topic "it" is refused
// beside nodes that own languages. A topic below -sure is unsure, and may go to an output of its
// own:
//
//	[stage.classify]
//	in  = "pages"
//	out = ["mine", "outgoing", "doubtful"]
//	run = "classify pages … -sure 0.5 -unsure {doubtful} …"
//
// # What is written
//
// Answers are copied as they are, compressed. Those that were classified get two attributes, in the
// record of their request: label=arts, the topic or the language, and for a topic sure=0.873, the
// share of pages like it for which the model is right. What belongs to another node goes to its
// folder beside -outgoing (package outgoing), from which its gofer fetches it; there it is not
// judged again.
//
// The state remembers which body was sent to whom, with the URL but for its query and what the head
// says of its links (X4, section 3). A body that its node has, with the same links, is sent as a
// revisit record of some 700 bytes. The state is keys alone (package seen); classify links -verify
// checks it as its own. Where it is lost, bodies are sent again, and xdup knows them.
//
// Whatever bytes a page holds, it has a place: what cannot be read has no text. A stranger can
// write a page that goes where he likes, which costs him a page. A batch fails only if its file is
// damaged.
package main

import "multitext/stages/internal/run/stage"

// verbs are what the program does; the first two are stages of a crawl, the others are used by
// hand.
func verbs() []stage.Verb {
	return []stage.Verb{pagesVerb(), linksVerb(), routeVerb(), explainVerb(), trainVerb(), evalVerb()}
}

func main() { stage.MainVerbs("classify", "decides which crawler owns a page or a link", verbs()...) }
