// Package segment stores the state of a stage: a map from 64-bit keys to byte strings, or a set of
// keys, in sorted files that never change.
//
// The seen-set of filter, the digests of xdup and the cache of resolve are such states. A run opens
// the committed segments as a [Set], looks up its keys in ascending order, and writes one new
// segment. The manager commits the segment together with the outputs of the run, so a key never
// exists without the output of the run that added it. If several segments have a key, the newest
// segment wins.
//
// A lookup reads two memory pages of a segment: keys are evenly distributed hashes, so a search
// begins where the key should be. Files are mapped into memory; the anonymous memory of a run
// depends only on its batch. A key takes 8.03 bytes, in a segment of 300,000 or more 7.03, in one
// of 75 million or more 6.03.
//
// Merging keeps the number of segments small (blockfile.Newest). The longest run is the one that
// merges all segments. It takes about 30 ns of CPU a key, so 3 s for 100 million keys. It happens
// when the state has grown by a third. Until it has committed, it needs additional disk space as
// large as the state. (BenchmarkHas and BenchmarkMerge measure this, BenchmarkSeen of filter
// measures the whole.)
//
// # Format, versions 2 and 3
//
// All integers are little-endian.
//
//	header   16 bytes: "mtsegmnt", uint32 version, uint32 flags (bit 0: with values); in
//	         version 3 followed by
//	           uint64       mark of the secret that the keys were made with, not 0
//	blocks   up to 1,024 entries each, one after another:
//	           the n keys, strictly ascending through the whole file:
//	             with values
//	                    n × uint64
//	             else   n × w bytes, each minus the block's first key, which is in the index;
//	                    w is the smallest sufficient size, 1 to 8
//	         and, with values:
//	           n × uint32   where each value ends, from the start of the values
//	           the values   at most 16 MiB each
//	index    for each block 32 bytes:
//	           uint64       offset of the block in the file
//	           uint64       its first key
//	           uint32       n, its entries
//	           uint32       w; 0 if the keys are complete
//	           uint64       XXH64 of the block's bytes (seed 0)
//	footer   48 bytes:
//	           uint64       entries of the file
//	           uint64       blocks
//	           uint64       offset of the index
//	           uint64       XXH64 of the index
//	           "mtsegend"
//	           uint64       XXH64 of the header and of the footer's first 40 bytes
//
// A block with values ends early when its values exceed 64 KiB. Every other block except the last
// has 1,024 entries. The more keys there are, the smaller their differences, and the fewer bytes
// they need.
//
// Segments whose keys were made with a secret (package keyed) have version 3, and can be read only
// with that secret. All others have version 2. Version 1 was never released.
//
// Opening a segment checks header, footer, index and the size of the file, and reads nothing else.
// A merge checks every block that it reads, so damage never spreads. VerifyFile checks everything.
// testdata has files with and without values in each version, which stay readable for ever.
package segment
