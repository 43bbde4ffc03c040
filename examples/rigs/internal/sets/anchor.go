package sets

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// anchors gives the target of each <a href> of a page, absolute and without fragment, and its
// class.
func anchors(page []byte, base *url.URL, use func(target *url.URL, class string)) {
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken:
			name, more := z.TagName()
			if string(name) != "a" {
				continue
			}
			href, class := "", ""
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch string(key) {
				case "href":
					href = string(value)
				case "class":
					class = string(value)
				}
			}
			if target, err := base.Parse(strings.TrimSpace(href)); err == nil && href != "" {
				target.Fragment = ""
				use(target, class)
			}
		}
	}
}
