// Package deflate writes deflate streams (RFC 1951) of what lies whole in memory, fast: it is what a page costs most
// on its way into the archive.
//
// It does what level 1 of other programs does, and nothing else: one look back for each place (LZ77, greedy), one
// Huffman code for each block of 32 KiB. It is fast because it decides little by branches, which the processor
// cannot foresee in text. Four places at once are looked up and compared, and the first that matches is taken out of
// a bit mask; the literals of a run are encoded four at a time, and those that are too many are masked away.
//
// Short texts, as the headers of records, are encoded in one pass in the code that the format knows
// ([Encoder.Short]). Codes of their own would make the two heads of an answer 110 bytes smaller, of some 6,000 that an
// answer has, and cost both the writer and each reader more than the rest of the head; one that was trained on heads
// and is kept for ever, 80 bytes. Bodies are 2 % smaller than of level 1 of github.com/klauspost/compress, so that the
// archive of a crawl has become 1 % larger than with that.
//
// The same calls give the same bytes: nothing of one stream is left for the next.
package deflate
