// Command classify decides which crawler of a collaboration owns a page or a link (thesis, sections 3.1 and 3.3).
package main

import "multitext/stages/internal/stage"

// verbs are what the program does; the first two are stages of a crawl, the others are used by hand.
func verbs() []stage.Verb {
	return []stage.Verb{pagesVerb(), linksVerb(), routeVerb(), explainVerb(), trainVerb(), evalVerb()}
}

func main() { stage.MainVerbs("classify", "decides which crawler owns a page or a link", verbs()...) }
