// Package blockfile is what the kinds of segments share: a file of blocks with an index and
// checksums, the list of a state's files, and the policy that says which of them are merged.
//
// Packages segment and ordered say what a block and an entry of the index hold, and look things up
// in them. Here is what lies around the blocks:
//
//	header   16 bytes: the kind's magic (8 bytes), uint32 version, uint32 flags of the kind; in
//	         the kind's version with a secret there follows
//	           uint64       mark of the secret that the keys were made with, not 0
//	blocks   one behind the other
//	index    for each block an entry of the kind's size
//	footer   48 bytes:
//	           uint64       entries of the file
//	           uint64       blocks
//	           uint64       offset of the index
//	           uint64       XXH64 of the index
//	           the kind's magic of the end (8 bytes)
//	           uint64       XXH64 of the header and of the footer's first 40 bytes
//
// All integers are little-endian, all XXH64 have the seed 0. The formats of the two kinds are
// described in their packages, whose testdata holds files of each version for ever.
package blockfile
