// Package html reads HTML pages and splits them into tags and texts.
//
// [Lexer.Open] begins a page, and [Lexer.Next] returns its tokens: see the example. With [Shown] it
// returns only the text that a browser shows. Pages must be in UTF-8: the caller has decoded
// transfer coding, content coding and charset.
//
// # How a page is read
//
// The lexer reads pages according to the standard (HTML, section 13.2.5), and in place. Names,
// values and texts are parts of the page, and are decoded only on request. The lexer builds no
// tree, so nesting costs nothing. The time is proportional to the size of the page, whatever its
// content. The memory is constant. Meaningless markup is no error.
//
// Three things depend on the open elements: elements of SVG and MathML, which may end with "/>" and
// whose TITLE, STYLE and SCRIPT contain markup; CDATA sections, which only these elements have; and
// TEMPLATE, whose content is not part of the page. The lexer tracks them without a tree, by the
// rules for correctly nested pages.
//
// # Fast, and right
//
// The tokenizer of golang.org/x/net/html does the same and takes eight times as long. A crawler
// reads every page three times (links, text, likeness). This lexer skips most of a page by
// searching for the next "<". It reads attributes and end tags in the usual form in words of eight
// bytes. It reads markup in an unusual form in a slower way.
//
// Tests compare the two token by token on hand-made pages, on arbitrary bytes (FuzzLexer) and on
// real sites (TestRealPages). They also compare the result for SVG and MathML with the parser
// (TestForeign). If the fast way is not certain of the result, the lexer passes the bytes in doubt
// to the tokenizer. On 11,986 pages of real sites it did so for 3,538 of 1,313,411 attribute
// values, which contain an entity other than "&amp;". It did so for none of 14,295 scripts; a
// script is in doubt if it contains "<script" after "<!--".
package html
