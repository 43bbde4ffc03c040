// Package warc reads and writes page batches: WARC/1.1 files (ISO 28500) in which every record is a
// gzip member of its own.
//
// Any WARC tool can read them. They may be joined with cat and split between members. This is the
// profile that the stages write; the reader also accepts other files.
//
// # Records
//
// One record of a batch is one answer of a server. It consists of two adjacent WARC records:
//
//	response   the bytes of the answer as received, header and body,
//	           transfer and content encoding included
//	request    the bytes of the request
//
// A batch may begin with a warcinfo record. A revisit may replace a response. It has the header of
// an answer whose payload is in the record given by WARC-Refers-To-Target-URI and
// WARC-Refers-To-Date. There are two profiles:
//
//	identical-payload-digest   an earlier answer has the payload. It keeps the ID of the response
//	                           it replaces, so that the request's WARC-Concurrent-To stays valid
//	server-not-modified        the server answered a conditional request with 304; without
//	                           WARC-Refers-To-Date if the request did not know it
//
// The fields of a response, in this order:
//
//	WARC-Type               response
//	WARC-Record-ID          a UUID made of URL, date and block: the same answer has the same ID
//	WARC-Date               when the request was sent, UTC, milliseconds
//	WARC-Target-URI         the canonical URL
//	WARC-IP-Address         address of the server, if known
//	WARC-Protocol           http/1.1, and in another field tls/1.2 or tls/1.3: over TLS only
//	Content-Type            application/http;msgtype=response
//	WARC-Payload-Digest     SHA-1 of the body without its transfer encoding; absent if it is not whole
//	WARC-Block-Digest       SHA-1 of the block
//	WARC-Truncated          where cut: length, time, disconnect or unspecified
//	Multitext-Attributes    the URL's attributes as in a URL batch, blanks between them:
//	                        depth=2 via=http://example.org/
//	Content-Length          bytes of the block
//
// Later stages write attributes to the request. If the request has Multitext-Attributes, these are
// all attributes of the answer, and those of the response are ignored. So a stage can add an
// attribute to a page without compressing the page again.
//
// Digests are written as "sha1:" and 32 characters of base 32. WARC tools expect SHA-1. It does not
// detect forgery.
//
// # Members
//
// The gzip header of every member has the extra subfield "sl" (the skip lengths of WARC 0.9; later
// standards allow it): two little-endian uint32, the sizes of the whole member and of its
// decompressed data. So a reader can skip or copy a member without decompressing it. The deflate
// stream is flushed after the HTTP header. This costs about ten bytes, and a reader can read all
// headers without decompressing the body. If either is missing, the reader decompresses once.
//
// # Trust
//
// The content of batches is not trusted, nor is their origin. Every length is checked against a
// limit before memory is allocated for it. A fault in the file is a [DamageError] with the offset
// of the member; nothing is guessed. A fault in the HTTP message is not damage of the file, and the
// answer is read as far as possible. Copying a member does not check its checksum; reading does.
package warc
