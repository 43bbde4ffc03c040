// Package formats is the room of batches and how they are packed: urlbatch (URLs), warc (pages),
// cdxj (an archive's index), coding (content codings), deflate (gzip members), samelinks (answers
// whose links are the same); and of pictures: chart (lines, as SVG).
package formats
