// Package html reads pages of HTML: it cuts them into tags and texts.
//
// [Lexer.Open] takes a page, and [Lexer.Next] gives its tokens: see the example.
// With [Shown] it gives only the text that a browser shows. Pages are UTF-8: the caller has undone
// transfer coding, content coding and charset.
//
// # How a page is read
//
// Pages are read as the standard says (HTML, section 13.2.5), and in place: names, values and texts
// are parts of the page, and nothing is decoded before it is asked for. There is no tree, so
// nesting costs nothing; the time grows with the size of the page, whatever is in it, and the
// memory does not. Markup without meaning is no error.
//
// Three things depend on what is open, and are followed without a tree, by the rules for pages that
// are nested correctly: elements of SVG and MathML, which may end with "/>" and of which TITLE,
// STYLE and SCRIPT hold markup; CDATA sections, which only these have; and TEMPLATE, whose content
// is no part of the page.
//
// # Fast, and right
//
// The tokenizer of golang.org/x/net/html does the same and takes eight times as long: a crawler
// reads every page three times (links, text, likeness). Here most of a page is passed over, by
// looking for the next "<"; attributes and end tags, which nearly all are written in one way, are
// read by words of eight bytes; and what is written in an unusual way takes a longer path.
//
// Tests compare the two, token for token, on pages made by hand, on any bytes (FuzzLexer) and on
// real sites (TestRealPages), and compare what is read of SVG and MathML with the parser
// (TestForeign). Where the fast way is not sure, the tokenizer is asked for the very bytes in
// doubt. On 11,986 pages of real sites these are 3,538 of 1,313,411 values of attributes, which
// hold another entity than "&amp;", and none of 14,295 scripts: there it is "<script" after "<!--"
// that makes the end doubtful.
package html
