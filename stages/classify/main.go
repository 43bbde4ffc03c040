// Command classify decides which crawler of a collaboration owns a page or a link (thesis, sections 3.1 and 3.3).
//
// A collaboration is several crawlers that share the Web, its nodes; nodes.toml names them (package nodes). Two verbs
// are stages. classify pages assigns pages after they were fetched, by what they say: the content-oriented
// partitions of section 3.1.1. classify links assigns links before they are fetched, by their URLs (package links). The
// others are for people: train makes a model, eval measures it, explain and route tell of single pages
// what the stage would do, and why.
//
// # Which pages can be classified
//
// The rules are the thesis's (3.3.2), asked in this order:
//
//	EMPTY     neither a head nor a body: the fetch failed for good. Such a URL is no page and never gets here: fetch
//	          counts it by its own reasons, and it is in the queue of what was given up
//	INVALID   the status is not 2xx. It stays: a redirect leads back here more often than not, and an error
//	          page has no links worth sending
//	NO-TEXT   there is no term in it: frames, pictures, numbers, and what is no text at all, as a PDF
//	SHORT     there are fewer terms than -terms. The thesis has no such rule (-terms 1); the X4 paper has 50
//
// Where the last two go, the flags -no-text and -short say: local, the default, keeps them; a node's name gives them
// to it, and #0 to the first node. The thesis gave NO-TEXT to its crawler #0, so that copies of a page are not in
// several crawlers (3.3.2), and X4 what is SHORT (6). What #0 kept was marred by that, and the thesis proposes a
// crawler for NO-TEXT alone (6.1): a node that owns no label at all (labels = []) can be that.
//
// A revisit, as a 304 to a conditional request, is not judged: its text is with an earlier answer. It stays.
//
// A text is HTML or XML without its tags, or any other text/*, in the charset that a browser would take it for; of an
// answer without a type, what looks like HTML. -ascii reads bytes as the thesis did (4.4.3). At most -max-page of
// a page is looked at.
//
// # Who owns a page
//
// -by topic is the thesis's C4 classifier (figure 4.4): first the language, then, of English pages, the topic. A page in
// another language goes to the node with the label of that language, as "de", else to the one with the label
// "foreign"; where no node has either, no language is asked for, and all pages have topics. So a
// language is given a crawler of its own by a line in nodes.toml. Topics and languages are labels of one kind: a model
// with the topic "it" is refused beside nodes that own languages, and so is a node's label of two letters that is
// neither. -language says how English is told: words is the thesis's list of words, ngrams the n-grams that it cites,
// twostep asks the n-grams where the list leaves a doubt.
//
// The topic is the label that the model is surest of (package classify, in the library). Each label of
// the model must be owned by a node. Below -sure a topic is unsure: such a page goes where -unsure says, which may
// be an output of its own:
//
//	[stage.classify]
//	in  = "pages"
//	out = ["mine", "outgoing", "doubtful"]
//	run = "classify pages … -sure 0.5 -unsure {doubtful} …"
//
// -by content goes by the digest of the body, which is the one that xdup knows duplicates by, -by language by the
// language alone, -by text by the text that a page shows, so that near-duplicates mostly meet, and -by none keeps all, so that one script can be any partition.
//
// # What is written
//
// Answers are copied as they are, compressed. With those that were classified go two attributes, in the record of their
// request (package warc), by which a script, or one who looks, can tell what was thought of them:
//
//	label=arts     the topic or the language
//	sure=0.873     of a topic only: 0.873 means that on pages like those of the training it is right as often
//
// What belongs to another node lies in a folder of that name beside -outgoing, in files named by their content
// (package outgoing); its gofer fetches it. In a crawl outgoing is an exported queue, and each run adds at most a few
// files to each folder. There, a page comes in behind this stage: it is not judged again.
//
// One body is found at many URLs. What was sent to whom is remembered (X4, section 3: local tables of page contents), a
// body each time with the URL but for its query, and what the head says of its links: at another place they
// lead elsewhere, and the owner takes them. A body that its node has so is sent as a revisit record of some 700 bytes, by
// which the node knows the URL and the digest. The state is keys alone (package seen); classify links -verify checks
// it as its own. Where it is lost, bodies are sent again, and xdup knows them. Without it (-new) all are sent, and
// with jobs = 2 in a script two runs of the stage work beside each other.
//
// With -links-only no page leaves (the X4 paper's other way, section 7): those of other nodes stay and carry
// owner=NODE, extract hands that on to their links, and classify links -by owner sends these.
//
// # Hostile pages
//
// Whatever bytes a page holds, it has a place: what cannot be read has no text. A stranger can write a page that goes
// where he likes, which costs him a page. A record with text is inflated as a whole, at most 64 MiB (fetch makes none of more
// than its -max-body); what is undone, decoded and judged of it is -max-page. A batch fails only if its file is damaged.
package main

import "multitext/stages/internal/run/stage"

// verbs are what the program does; the first two are stages of a crawl, the others are used by hand.
func verbs() []stage.Verb {
	return []stage.Verb{pagesVerb(), linksVerb(), routeVerb(), explainVerb(), trainVerb(), evalVerb()}
}

func main() { stage.MainVerbs("classify", "decides which crawler owns a page or a link", verbs()...) }
