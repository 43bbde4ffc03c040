// Package ordered keeps the state of a stage that walks its entries in order: a map from 128-bit
// keys to byte strings, in sorted files that are never changed.
//
// The URLs that wait in a frontier are such a state. A run opens the committed segments as a [Set],
// looks up keys (Get) and walks from a key on (Cursor), and leaves one new segment (Append), which
// the manager commits with the outputs of the run. An older segment holds older entries: the newest
// one that has a key wins. Package segment is the sibling for keys that are hashes and are only
// looked up; it needs fewer bytes and less time for them.
//
// Nothing is deleted by itself. A merge shows its entries, the new ones too, to the stage's [Edit],
// in order, and writes what Edit puts. What Edit leaves out is gone when all segments are in the
// merge; else an older entry of the key, in a segment that is not, becomes visible again. MergeAll
// asks for such a merge, where the stage knows that much is to go.
//
// A run that has more to write than fits into memory writes it in parts (Spill), which it can read
// at once, and which its Append merges.
//
// Keys need not lie evenly, so a lookup is a binary search in the index and one in a block. Files
// are mapped into memory; the anonymous memory of a run depends on its batch alone, a merge reads
// one block of each segment at a time, and has what it has read leave memory. In 500 runs that look
// up 5,000 random rows and append 20,000 entries with values of 60 bytes, an entry is written 4.1
// times, a run has 4.4 segments in the mean, a lookup takes 3 µs of CPU and an appended entry 0.9
// µs, merges included; merging takes 0.1 µs an entry (BenchmarkRuns, BenchmarkMerge).
//
// # Format, versions 1 and 2
//
// Header, index, footer and their checksums are those of package blockfile, with the magics
// "mtorderd" and "mtordend", and no flags. Files of keys that a secret made (package keyed) are of
// version 2, all others of version 1. All integers are little-endian, but for the keys in a block.
//
//	block    up to 2,048 entries:
//	           the n keys, strictly ascending through the whole file: of each the bytes that mask
//	             names, the most significant first
//	           n × w        where each value ends, from the start of the values
//	           the values   at most 16 MiB each
//	index    for each block 40 bytes:
//	           uint64       offset of the block in the file
//	           uint64       its first key: Hi
//	           uint64       and Lo
//	           uint32       n, its entries
//	           uint16       mask: bit i is set if byte i of the keys differs within the block;
//	                        byte 0 is the most significant of Hi, byte 15 the least of Lo
//	           uint16       w: 0 if no value has a byte, 2 if they have less than 64 KiB, else 4
//	           uint64       XXH64 of the block's bytes (seed 0)
//
// Bytes that mask does not name are those of the first key. A block ends when its keys, 16 bytes
// each, and values have 32 KiB.
//
// Opening a segment checks header, footer, index and the size of the file, and reads nothing else.
// A merge checks every block that it reads, so damage never spreads; VerifyFile checks all.
// testdata holds files of each version, packed by zstd, kept for ever.
package ordered
