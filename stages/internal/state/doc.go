// Package state is the room of what a crawl remembers from run to run: segment is the sorted files
// that every state consists of, seen the set of URLs that filter makes of them.
package state
