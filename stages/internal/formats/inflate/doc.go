// Package inflate undoes deflate (RFC 1951) and gzip (RFC 1952) for data that lies whole in memory, which is what
// the members of a WARC file do once they are read, and the bodies in them.
//
// Knowing the whole input and keeping the whole output makes three things simple that a streaming decoder must do with
// care: bits are loaded eight bytes at once, what was inflated is its own window, and there is no state within
// a block. A [Member] stands between two blocks. A reader that wants the head of a member inflates as many
// blocks as hold it; whoever wants the rest later goes on from there.
//
// # Codes
//
// Each block of deflate has a Huffman code of literals and lengths and another of distances. They become tables (see
// codes.go; build.go makes them): eleven bits of input lead to an entry that says what the symbol stands for, how many
// bits it has and how many bits of number follow. Longer codes go through a second table. The tables of the fixed
// code, which the heads of our own records have, are made once for an [Inflater].
//
// # Trust
//
// The input is a stranger's. Output is bounded by the caller, the time is linear in input and output, and memory grows
// with what was inflated, never by a claim. What this package refuses, the standard library refuses, and the other way
// round; a differential fuzz test holds it to that. Klauspost's flate takes some broken streams more, and none less. Errors
// here only say that there is one: who wants to know what is wrong asks one of those.
package inflate
