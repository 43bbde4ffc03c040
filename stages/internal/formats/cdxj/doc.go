// Package cdxj reads and writes CDXJ, the index format in which replay tools look up pages of
// archives (pywb, OutbackCDX, warcio).
//
// # Format
//
// An index is text. It has one line for each capture, and the lines are sorted by their bytes (as
// with LC_ALL=C sort):
//
//	KEY SP TIMESTAMP SP JSON LF
//
//	KEY        the URL in the form that is used for lookups; see Key
//	TIMESTAMP  14 digits, YYYYMMDDhhmmss, UTC: WARC-Date cut to seconds
//	JSON       an object with strings as values, in this order; unknown values are left out
//	             url       the URL as requested
//	             mime      media type of the answer, in lower case without parameters; for a revisit
//	                       record "warc/revisit"
//	             status    HTTP status, three digits
//	             digest    WARC-Payload-Digest without its "sha1:"
//	             length    size of the record's gzip member in bytes
//	             offset    position of the member in the file
//	             filename  name of the archive file, without folders
//
// All bytes are from 0x20 to 0x7e. A line has at most 64 KiB. testdata/v1.cdxj stays readable for
// ever.
//
// There is no standard, only what the tools have in common. The fields are those that pywb and
// cdxj-indexer write by default. Readers skip other fields.
package cdxj
