// Package warc reads and writes page batches: WARC/1.1 files (ISO 28500) in which every record is a
// gzip member of its own.
//
// Any WARC tool reads them, and they may be joined with cat and cut between members. What follows
// is the profile that the stages write; the reader takes other writers' files too.
//
// # Records
//
// One answer of a server is one record of a batch, in two WARC records that stand together:
//
//	response   the bytes of the answer as they came over the wire, header and body,
//	           transfer and content encoding included
//	request    the bytes of the request
//
// A batch may begin with a warcinfo record. A revisit may replace a response: it is the header of
// an answer whose payload is in the archive already, under WARC-Refers-To-Target-URI and
// WARC-Refers-To-Date. It has one of two profiles:
//
//	identical-payload-digest   the payload was met before. It keeps the record ID of the response
//	                           it replaces, so that the request's WARC-Concurrent-To stays true
//	server-not-modified        the server answered a conditional request with 304; without
//	                           WARC-Refers-To-Date if the request did not know it
//
// The fields of a response, in this order:
//
//	WARC-Type               response
//	WARC-Record-ID          a UUID made of URL, date and block: the same answer has the same ID
//	WARC-Date               when the request was sent, UTC, milliseconds
//	WARC-Target-URI         the canonical URL
//	WARC-IP-Address         of the server, where known
//	WARC-Protocol           http/1.1, and in another field tls/1.2 or tls/1.3: over TLS only
//	Content-Type            application/http;msgtype=response
//	WARC-Payload-Digest     SHA-1 of the body without its transfer encoding; absent if it is not whole
//	WARC-Block-Digest       SHA-1 of the block
//	WARC-Truncated          where cut: length, time, disconnect or unspecified
//	Multitext-Attributes    the URL's attributes as in a URL batch, blanks between them:
//	                        depth=2 via=http://example.org/
//	Content-Length          bytes of the block
//
// A later stage writes attributes to the request. If its record has Multitext-Attributes, these are
// all attributes of the answer, and those of the response do not count any more. So a stage that
// adds an attribute to a page does not compress the page again.
//
// Digests are written "sha1:" and 32 characters of base 32. SHA-1 is what WARC tools expect; it
// tells equal pages from different ones, not honest servers from forgers.
//
// # Members
//
// The gzip header of every member has the extra subfield "sl" (the skip lengths of WARC 0.9; later
// standards neither require nor forbid it): two little-endian uint32, the bytes of the whole member
// and the bytes it inflates to. So a reader skips or copies a member without inflating it. The
// deflate stream is flushed behind the HTTP header, which costs some ten bytes and lets a reader
// see all headers without inflating the body. If either is missing the reader inflates, once.
//
// # Trust
//
// Batches hold strangers' bytes, and may come from strangers. Every length is checked against a
// bound before memory is allocated for it. A fault of the file is a [DamageError] with the offset
// of the member; nothing is guessed. A fault of the HTTP inside is no damage of the file, and the
// answer is read as far as possible. A member that is copied is not inflated, so its checksum is
// not checked; reading a body checks it.
package warc
