// Package links finds the links in an HTML page and in its HTTP head.
//
// # What is a link
//
// Each link has a [Kind]. The thesis names the HREF and SRC of these elements (section 2.2.2, table
// 2.2) and of "every HTML tag" (section 3.2.2):
//
//	a area base      HREF
//	link             HREF of LINK to a page: canonical, next, alternate … and without REL
//	resource         HREF of LINK to parts of a page: stylesheet, icon, manifest, preload
//	frame iframe script input    SRC
//	img              SRC; SRCSET of IMG and SOURCE; POSTER of VIDEO
//	other            HREF and SRC of all other elements; XLINK:HREF of A
//
// The web has added these since:
//
//	media            SRC of VIDEO, AUDIO, SOURCE, TRACK
//	embed            SRC of EMBED, DATA of OBJECT
//	refresh          META HTTP-EQUIV=refresh, and the HTTP field Refresh
//	header           the HTTP field Link (RFC 8288)
//	location         the HTTP field Location of a redirect
//
// ACTION of FORM is not a link. Even the author of a GET form did not expect requests without
// input, and the number of possible answers is unlimited. Hosts named by dns-prefetch and
// preconnect are not pages.
//
// NOSCRIPT, NOFRAMES and NOEMBED are read as markup, because this program runs no scripts, frames
// or plug-ins. SCRIPT, STYLE, comments, text fields and the content of IFRAME are not searched. In
// SVG and MathML elements of these names are ordinary elements, and may end with "/>". On a page
// with an XML Content-Type this applies to all elements.
//
// # How a link is read
//
// Links are read as a browser reads them. Entities are decoded. The page's charset comes from the
// byte order mark, the HTTP field, or the META or XML declaration (package charset). Without these,
// the charset is UTF-8 if the whole page is valid UTF-8, else windows-1252. Non-ASCII letters in a
// query are escaped in that charset, in a path as UTF-8. The first BASE with an HREF applies to the
// whole page, including links above it; a BASE in TEMPLATE, SVG or MathML does not count. The
// resulting URLs are canonical (package canon). Each URL is listed once a page; links to the page
// itself are left out.
//
// # What is not followed
//
// META NAME=robots (or NAME with the crawler's own name) and the HTTP field X-Robots-Tag forbid all
// links of a page if they say nofollow or none. REL=nofollow forbids one link. If there are several
// rules, a link is forbidden if one of them forbids it. Search engines treat REL=nofollow as a
// hint; this crawler obeys it. REL=ugc and REL=sponsored say who set a link and forbid nothing. Nor
// do noindex, noarchive and the other directives of META and X-Robots-Tag.
//
// # Bounds
//
// The page is scanned once, as tokens and not as a tree (package classify/html). So nesting is
// free, and the time is proportional to the size of a page, whatever its content. Memory is
// proportional to the number of links, which is bounded. Bad markup is not an error.
//
// # How it is fast
//
// The lexer returns relevant attributes as slices of the page. It decodes an attribute only if the
// attribute is wanted and has something to decode. "#place" is dropped before it becomes a URL. A
// [Finder] reuses its memory from page to page, and stores all URLs of a page in one buffer.
package links
