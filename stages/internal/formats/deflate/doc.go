// Package deflate writes and reads deflate (RFC 1951) for data that is completely in memory: the
// members of a WARC file, and the bodies in them.
//
// All other data is compressed with github.com/klauspost/compress. This package exists because a
// crawl is limited by CPU and spends much of it here: an answer is compressed once and decompressed
// by several stages. To write an answer of 18 KB from a real site takes 61 µs of CPU, two heads
// included, where level 1 of that library takes 93 and writes 2 % more bytes; to inflate it takes
// 25 µs, where that library takes 55 (BenchmarkPages, BenchmarkHead and BenchmarkInflate, on one
// core of a server of 2026).
//
// # Writing
//
// An [Encoder] works like level 1 of other programs: one lookup for each position (LZ77, greedy),
// and one Huffman code for each block of 32 KiB. It is fast because it has few branches, which the
// processor cannot predict in text. It looks up and compares four positions at once, and finds the
// first match with a bit mask. It encodes the literals of a run four at a time, and masks out the
// surplus.
//
// Short texts such as the headers of records are encoded in the fixed code of the format
// ([Encoder.Short]). Separate codes would make the two heads of an answer 110 bytes smaller, while
// an answer has about 6,000 bytes. They would cost the writer and each reader more time than the
// rest of the head.
//
// The same calls produce the same bytes: a stream does not depend on earlier streams.
//
// # Reading
//
// Because the whole input and the whole output are in memory, three things are simpler than in a
// streaming decoder. Bits are loaded eight bytes at once, the output is also the window, and there
// is no state within a block. A [Member] is always between two blocks. A reader that needs the head
// of a member decompresses as many blocks as contain it, and can decompress the rest later.
//
// Each block has a Huffman code for literals and lengths and another one for distances. table.go
// turns them into tables (see meaning.go). Eleven bits of input select a cell, which has the
// meaning of the symbol, its number of bits, and the number of extra bits that follow. Longer codes
// use a second table. The tables of the fixed code are made once.
//
// The input is not trusted. The caller limits the output. The time is linear in input and output,
// and memory grows with the actual output, never with a claimed size. This package rejects exactly
// the streams that the standard library rejects; a differential fuzz test compares the two.
// Klauspost's flate also accepts some broken streams.
package deflate
