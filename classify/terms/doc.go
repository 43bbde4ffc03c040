// Package terms splits a page into its terms: the words that a classifier and a language identifier
// count.
//
// It implements the preparation of the thesis (3.3.2 and 4.2.1, "Term extraction") and of the X4
// paper (section 5). The header of the response is not included. Package terms removes tags,
// scripts, style sheets and comments. It also removes the elements that a browser with scripts does
// not show (noscript, iframe, noembed, noframes). It decodes entities. It splits the remaining text
// at white space, punctuation and digits (numbers carry no information about a topic), and converts
// it to lower case:
//
//	<h1>Caf&eacute; No.&nbsp;17</h1><script>var x</script> open   →   café no open
//
// Three rules go beyond the thesis, which considered only ASCII:
//
//   - A term consists of letters and their combining marks, of any script. Invisible format
//     characters, such as the soft hyphen, are dropped and do not separate terms.
//   - In scripts without blanks between words (Chinese characters, Kana, Thai, Lao, Khmer, Burmese)
//     each character is a term.
//   - A word of more than Longest bytes is dropped, because it is base64, or an attempt to deceive.
//
// A tag always separates two terms. This is right for <td>, and not always for <b>.
//
// Pages must be in UTF-8: the caller has decoded transfer coding, content coding and charset. A
// byte that is not UTF-8 separates terms. Splitter.ASCII selects the simpler method of the thesis
// instead (4.4.3), which treats every page as US-ASCII. Bytes above 0x7f "were processed as they
// were", so they stay in their terms, and entities of such characters "are treated as whitespace"
// (4.2.1).
//
// Judge decides from the number of terms whether a page can be classified at all, or is EMPTY,
// INVALID, NO-TEXT or SHORT.
//
// Package classify/html extracts the visible text of a page. This package splits the text into
// words.
package terms
