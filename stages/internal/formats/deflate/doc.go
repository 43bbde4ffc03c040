// Package deflate writes and reads deflate (RFC 1951) of what lies whole in memory: the members of
// a WARC file, and the bodies in them.
//
// It stands beside github.com/klauspost/compress, by which all else is compressed, because a crawl
// is bound by CPU and spends much of it here: an answer is written once, and inflated by several
// stages. To write an answer of 18 KB from a real site takes 61 µs of CPU, two heads included,
// where level 1 of that library takes 93 and writes 2 % more bytes; to inflate it takes 25 µs,
// where that library takes 55 (BenchmarkPages, BenchmarkHead and BenchmarkInflate, on one core of a
// server of 2026).
//
// # Writing
//
// An [Encoder] does what level 1 of other programs does, and nothing else: one look back for each
// place (LZ77, greedy), one Huffman code for each block of 32 KiB. It is fast because it decides
// little by branches, which the processor cannot foresee in text. Four places at once are looked up
// and compared, and the first that matches is taken out of a bit mask; the literals of a run are
// encoded four at a time, and those that are too many are masked away.
//
// Short texts, as the headers of records, are encoded in the fixed code of the format
// ([Encoder.Short]). Codes of their own would make the two heads of an answer 110 bytes smaller, of
// some 6,000 that an answer has, and cost both the writer and each reader more than the rest of the
// head.
//
// The same calls give the same bytes: nothing of one stream is left for the next.
//
// # Reading
//
// Knowing the whole input and keeping the whole output makes three things simple that a streaming
// decoder must do with care: bits are loaded eight bytes at once, what was inflated is its own
// window, and there is no state within a block. A [Member] stands between two blocks. A reader that
// wants the head of a member inflates as many blocks as hold it; whoever wants the rest later goes
// on from there.
//
// Each block has a Huffman code of literals and lengths and another of distances. They become
// tables (see meaning.go; table.go makes them): eleven bits of input lead to an cell that says
// what the symbol stands for, how many bits it has and how many bits of number follow. Longer codes
// go through a second table. The tables of the fixed code are made once.
//
// The input is a stranger's. Output is bounded by the caller, the time is linear in input and
// output, and memory grows with what was inflated, never by a claim. What this package refuses, the
// standard library refuses, and the other way round; a differential fuzz test compares the two.
// Klauspost's flate takes some broken streams more, and none less.
package deflate
