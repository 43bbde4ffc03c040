// Package terms turns a page into its terms: the words that a classifier and a language identifier
// count.
//
// It is the preparation of the thesis (3.3.2 and 4.2.1, "Term extraction") and of the X4 paper
// (section 5). The header of the answer is no part of it. Tags, scripts, style sheets and comments
// go; so do the elements that a browser with scripts does not show (noscript, iframe, noembed,
// noframes). Entities are undone. What is left is cut into terms at white space, punctuation and
// digits (numbers are no information about a topic), in lower case:
//
//	<h1>Caf&eacute; No.&nbsp;17</h1><script>var x</script> open   →   café no open
//
// Three rules go beyond the thesis, which knew ASCII only:
//
//   - A term is letters and the marks upon them, of any script. Invisible format characters, such
//     as the soft hyphen, are dropped and part nothing.
//   - Scripts that put no blanks between words (Chinese characters, Kana, Thai, Lao, Khmer,
//     Burmese) give a term for each character.
//   - A word of more than Longest bytes is none, and is dropped: it is base64, or bait.
//
// A tag always parts two terms, as <td> must and <b> need not.
//
// Pages are UTF-8: the caller has undone transfer coding, content coding and charset. A byte that
// is none of UTF-8 parts terms. Splitter.ASCII is the brute force of the thesis instead (4.4.3),
// which takes any page for US-ASCII: bytes above 0x7f "were processed as they were", so they stay
// in their terms, and entities of such characters "are treated as whitespace" (4.2.1).
//
// Judge says by the number of terms whether a page can be classified at all, or is EMPTY, INVALID,
// NO-TEXT or SHORT.
//
// Package classify/html says what a page shows; the words of its texts are cut here.
package terms
