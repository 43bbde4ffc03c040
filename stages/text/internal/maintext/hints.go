package maintext

// isHint reports whether the value of CLASS, ID or ROLE says that the element stands beside the main
// text. It looks at each word of the names in it: "leftSidebar" and "left-sidebar" have
// the words left and sidebar.
// A name that begins with a word like "has" speaks of another element.
func isHint(value []byte) bool {
	for i := 0; i < len(value); {
		if !isLetter(value[i]) {
			i++
			continue
		}
		start := i
		for i < len(value) && value[i] > ' ' {
			i++
		}
		if ofName(value[start:i]) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// ofName is isHint for one name.
func ofName(value []byte) bool {
	var word [len("recommendations")]byte
	for i, words := 0, 0; i < len(value); words++ {
		n := 0
		for ; i < len(value) && isLetter(value[i]); i++ {
			if n > 0 && value[i] <= 'Z' && value[i-1] >= 'a' {
				break // leftSidebar
			}
			if n < len(word) {
				word[n] = value[i] | 0x20
			}
			n++
		}
		switch {
		case n == 0:
			i++
			words--
		case n > len(word):
		case words == 0 && negates(word[:n]):
			return false
		case isBeside(word[:n]):
			return true
		}
	}
	return false
}

// negates reports whether a name that begins with word speaks of another element.
func negates(word []byte) bool {
	switch string(word) {
	case "has", "with", "no", "without", "is", "show", "hide", "not":
		return true
	}
	return false
}

// isBeside reports whether a word names what stands beside a text. The words are those that stand in
// the classes of many sites, most of them English on pages in any language.
func isBeside(word []byte) bool {
	switch string(word) {
	case "nav", "navbar", "navigation", "menu", "menus", "submenu", "breadcrumb", "breadcrumbs", "crumb", "crumbs",
		"sidebar", "sidenav", "topbar", "toolbar", "toc", "pagination", "pager", "paging", "skip", "search",
		"searchbox",
		"masthead", "footer", "foot", "colophon", "copyright", "complementary", "contentinfo", // of the site
		"comment", "comments", "commentlist", "commentform", "respond", "disqus", // of readers
		"share", "sharing", "sharedaddy", "social", "addthis", "tags", "taglist", "metadata", "postmeta",
		"byline", "author", "autor", "bio", "caption", "credit", // who made the text and its pictures
		"related", "recommend", "recommended", "recommendations", "similar", "trending", "popular", "teaser", "widget",
		"widgets", "jetpack", "jp", "outbrain", "taboola", // other pages
		"ad", "ads", "advert", "advertisement", "adsense", "banner", "sponsor", "sponsored", "promo", "promotion",
		"newsletter", "subscribe", "subscription", "login", "cookie", "cookies", "consent", "gdpr", "popup", "modal",
		"overlay":
		return true
	}
	return false
}
