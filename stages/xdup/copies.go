package main

import (
	"crypto/sha1"
	"encoding/binary"
	"slices"
	"strings"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/media"
	"multitext/stages/internal/segment"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
	"multitext/stages/internal/warc"
)

// copies finds the duplicates whose links lead elsewhere than those of the first copy.
type copies struct {
	most    int // places of a body on a server
	known   *segment.Set
	fresh   map[uint64][]byte // entries of places that this run has made longer
	encoder *warc.Encoder
	out     *warc.Writer
	env     *stage.Env
}

func newCopies(c config, env *stage.Env, known *segment.Set, encoder *warc.Encoder) *copies {
	return &copies{
		most:    c.places,
		known:   known,
		fresh:   map[uint64][]byte{},
		encoder: encoder,
		out:     warc.NewWriter(env.Files, c.copies, env.Report.Made),
		env:     env,
	}
}

// offer writes a duplicate, body and all, where the body was not met at its place before.
func (c *copies) offer(d digest, a *warc.Answer, first original) error {
	record := a.Record()
	read := reading(a, record)
	if read == unread {
		return nil
	}
	server, path, ok := split(a.URL())
	if !ok {
		return nil
	}
	firstServer, firstPath, ok := split(first.URL)
	alike := ok && read == first.reading
	if alike && server == firstServer && path == firstPath {
		return nil
	}
	if fresh, err := c.enter(d, server, hash32(path)^read); err != nil || !fresh {
		return err
	}
	packed := a.Packed()
	if alike {
		marked, err := c.encoder.WithAttribute(a, urlbatch.Copy, first.URL)
		if err != nil {
			return err
		}
		packed = marked
	}
	c.env.Report.Count("copies", 1)
	return c.out.Write(packed)
}

// enter adds a place to those of a body on a server; fresh is false where it is there already, or there are too many.
func (c *copies) enter(d digest, server string, place uint32) (fresh bool, err error) {
	key := placesKey(d, server)
	entry, ok := c.fresh[key]
	if !ok {
		if entry, _, err = c.known.Get(key); err != nil {
			return false, err
		}
		if !isPlaces(entry) {
			entry = []byte{entryPlaces}
		}
		entry = slices.Clip(entry) // what is appended is not the state's
	}
	for places := entry[1:]; len(places) > 0; places = places[placeSize:] {
		if binary.LittleEndian.Uint32(places) == place {
			return false, nil
		}
	}
	if len(entry) > c.most*placeSize {
		c.env.Report.Count("copies-over-limit", 1)
		return false, nil
	}
	c.fresh[key] = binary.LittleEndian.AppendUint32(entry, place)
	return true, nil
}

// placeSize is the bytes of a place in an entry.
const placeSize = 4

func isPlaces(value []byte) bool {
	return len(value) > 0 && value[0] == entryPlaces && len(value)%placeSize == 1
}

// placesKey gives the key of the places of a body on a server.
func placesKey(d digest, server string) uint64 {
	sum := sha1.Sum(append(d[:], server...))
	return binary.BigEndian.Uint64(sum[:])
}

// split cuts a URL into its scheme with its host, and its path: by these relative links are resolved, not by the query.
func split(raw string) (server, path string, ok bool) {
	url, err := canon.Parse(raw)
	if err != nil {
		return "", "", false
	}
	path = canon.Path(url)
	server = url[:len(url)-len(path)]
	path, _, _ = strings.Cut(path, "?")
	return server, path, true
}

// unread is the reading of what has no links for anybody.
const unread = 1

// reading gives what, beside body and URL, decides about the links of an answer, as a number: those fields of its
// head by which extract reads it, and whether it is read as a sitemap.
func reading(a *warc.Answer, record *urlbatch.Record) uint32 {
	h, err := a.HTTP()
	if err != nil {
		return unread
	}
	rel, _ := record.Get(urlbatch.Rel)
	if rel != urlbatch.Sitemap && !media.MayBePage(h.Header.ContentType()) {
		return unread
	}
	var text []byte
	for _, name := range []string{"Content-Type", "Content-Encoding", "X-Robots-Tag", "Link", "Refresh"} {
		for _, value := range h.Header.All(name) {
			text = append(append(append(append(text, name...), ':'), value...), '\n')
		}
	}
	return max(hash32(rel+"\n"+string(text)), unread+1)
}

func hash32(s string) uint32 {
	sum := sha1.Sum([]byte(s))
	return binary.LittleEndian.Uint32(sum[:])
}
