// Package segment keeps the state of a stage: a map from 64-bit keys to byte strings (or a
// plain set of keys), in sorted files that are never changed.
//
// The seen-set of filter, the digests of xdup and the caches of resolve are such states. A run
// opens the committed segments as a [Set], looks up its keys in ascending order, and leaves one new
// segment. The manager commits that with the outputs of the run, so a key is never there when the
// output of the run that added it was lost. An older segment holds older entries: the newest one
// that has a key wins.
//
// A lookup touches two pages of a segment: keys are hashes, spread evenly, so a search begins where
// the key should be. Files are mapped into memory; the anonymous memory of a run depends on its
// batch alone. A key takes 8.03 bytes, in a segment of 300,000 or more 7.03, in one of 75 million
// or more 6.03.
//
// Merging keeps the number of segments small (blockfile.Newest). The longest run is the one that
// merges all: some 30 ns of CPU a key, so 3 s at 100 million. It happens when the state has grown
// by a third, and needs, until it has committed, as much disk again as the state. (BenchmarkHas and
// BenchmarkMerge measure this, BenchmarkSeen of filter the whole.)
//
// # Format, versions 2 and 3
//
// All integers are little-endian.
//
//	header   16 bytes: "mtsegmnt", uint32 version, uint32 flags (bit 0: with values); in
//	         version 3 there follows
//	           uint64       mark of the secret that the keys were made with, not 0
//	blocks   up to 1,024 entries each, one behind the other:
//	           the n keys, strictly ascending through the whole file:
//	             with values
//	                    n × uint64
//	             else   n × w bytes, each less the block's first key, which the index has whole;
//	                    w is the least in which they fit, 1 to 8
//	         and, with values:
//	           n × uint32   where each value ends, from the start of the values
//	           the values   at most 16 MiB each
//	index    for each block 32 bytes:
//	           uint64       offset of the block in the file
//	           uint64       its first key
//	           uint32       n, its entries
//	           uint32       w; 0 where the keys are whole
//	           uint64       XXH64 of the block's bytes (seed 0)
//	footer   48 bytes:
//	           uint64       entries of the file
//	           uint64       blocks
//	           uint64       offset of the index
//	           uint64       XXH64 of the index
//	           "mtsegend"
//	           uint64       XXH64 of the header and of the footer's first 40 bytes
//
// A block with values ends early when its values pass 64 KiB. Every other block but the last has
// 1,024 entries: the more keys there are, the nearer they are to each other, and the shorter.
//
// Segments of keys that a secret made (package keyed) are of version 3, and are read with that
// secret only; all others are of version 2. Version 1 was never released.
//
// Opening a segment checks header, footer, index and the size of the file, and reads nothing else.
// A merge checks every block that it reads, so damage never spreads; VerifyFile checks all.
// testdata holds files with and without values of each version, kept for ever.
package segment
