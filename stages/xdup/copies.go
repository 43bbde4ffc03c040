package main

import (
	"crypto/sha1"
	"encoding/binary"
	"slices"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
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
	if first.reading == readingAside {
		return nil
	}
	record := a.Record()
	read := samelinks.Of(a, record)
	if read == samelinks.None {
		return nil
	}
	server, path, ok := samelinks.Split(a.URL())
	if !ok {
		return nil
	}
	firstServer, firstPath, ok := samelinks.Split(first.URL)
	alike := ok && read == first.reading
	if alike && server == firstServer && path == firstPath {
		return nil
	}
	if fresh, err := c.enter(d, server, samelinks.Hash(path)^read); err != nil || !fresh {
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
