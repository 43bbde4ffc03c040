// Package state is the room of what a crawl remembers from run to run. A state consists of sorted
// files: of keys that are hashes and are looked up (segment), or of keys that a stage walks in order
// (ordered); blockfile is what the two share. seen is the set of URLs that filter makes of segments.
package state
