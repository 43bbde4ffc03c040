// Package cdxj reads and writes CDXJ, the index that replay tools look archives up in (pywb,
// OutbackCDX, warcio).
//
// # Format
//
// An index is text, one line a capture, the lines in order of their bytes (as LC_ALL=C sort has
// it):
//
//	KEY SP TIMESTAMP SP JSON LF
//
//	KEY        the URL in the form in which it is looked up; see Key
//	TIMESTAMP  14 digits, YYYYMMDDhhmmss, UTC: WARC-Date cut to seconds
//	JSON       an object whose values are all strings, in this order; what is not known is left out
//	             url       the URL as it was asked for
//	             mime      media type of the answer, in lower case without parameters; of a revisit
//	                       record "warc/revisit"
//	             status    of HTTP, three digits
//	             digest    WARC-Payload-Digest without its "sha1:"
//	             length    bytes of the record's gzip member
//	             offset    where it begins in the file
//	             filename  of the archive file, without folders
//
// All bytes are 0x20 to 0x7e. A line has at most 64 KiB. testdata/v1.cdxj is kept for ever.
//
// There is no standard but what the tools share; the fields are those that pywb and cdxj-indexer
// write by default. A field that is not in the list above is passed over.
package cdxj
