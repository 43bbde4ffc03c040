// Package links finds the links of an HTML page and of the HTTP head above it.
//
// # What is a link
//
// Each link is of a [Kind]. HREF and SRC of the elements that the thesis names (section 2.2.2,
// table 2.2), and of "every HTML tag" (section 3.2.2):
//
//	a area base      HREF
//	link             HREF of LINK to a page: canonical, next, alternate … and without REL
//	resource         HREF of LINK to what draws a page: stylesheet, icon, manifest, preload
//	frame iframe script input    SRC
//	img              SRC; SRCSET of IMG and SOURCE; POSTER of VIDEO
//	other            HREF and SRC of all other elements; XLINK:HREF of A
//
// What has been added to the web since:
//
//	media            SRC of VIDEO, AUDIO, SOURCE, TRACK
//	embed            SRC of EMBED, DATA of OBJECT
//	refresh          META HTTP-EQUIV=refresh, and the HTTP field Refresh
//	header           the HTTP field Link (RFC 8288)
//	location         the HTTP field Location of a redirect
//
// ACTION of FORM is none: even a GET form names an address that its author did not mean to be asked
// for without input, and the answers have no end. Hosts named by dns-prefetch and preconnect are no
// pages.
//
// NOSCRIPT, NOFRAMES and NOEMBED are read as markup, since no scripts, frames and plug-ins are run
// here; SCRIPT, STYLE, comments, text fields and what stands inside IFRAME are not searched. In SVG
// and MathML elements of these names are like any others, and may end by "/>"; on a page whose
// Content-Type is one of XML all elements are.
//
// # How a link is read
//
// As a browser reads it: entities are decoded; the page's bytes are decoded by its charset (byte
// order mark, HTTP field, META or XML declaration, as package charset tells; failing these UTF-8
// where the whole page is valid, else windows-1252); non-ASCII letters in a query are escaped in
// that charset, in a path as UTF-8. The first BASE with an HREF, but for those in TEMPLATE, SVG and
// MathML, holds for the whole page, for links above it too. The result is canonical (package
// canon), each URL once a page, without links to the page itself.
//
// # What is not followed
//
// META NAME=robots (or the crawler's own name) and the HTTP field X-Robots-Tag with nofollow or
// none forbid all links of a page; REL=nofollow forbids one. Several rules are taken together: what
// one of them forbids is forbidden. Search engines take REL=nofollow as a hint; a crawler that has
// no use for a hint does best to heed it. REL=ugc and REL=sponsored tell who has set a link, and
// forbid nothing, nor do noindex, noarchive and the other directives of META and X-Robots-Tag.
//
// # Bounds
//
// The page is scanned once, by tokens and not as a tree (package classify/html), so nesting costs
// nothing, and time grows with the size of a page, whatever is on it. Memory is that of the links,
// whose number is bounded. Markup without meaning gives no links and no error.
//
// # How it is fast
//
// The lexer gives the attributes that matter as parts of the page, and decodes only what is wanted
// and must be decoded. "#place" is dropped before it is made a URL. A [Finder] keeps its memory
// from page to page, and all URLs of a page lie in one piece of it.
package links
