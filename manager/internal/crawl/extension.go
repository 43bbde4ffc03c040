package crawl

import (
	"fmt"
	"path/filepath"
	"strings"

	"multitext/manager/internal/kind"
	"multitext/script"
)

// extension returns the part of a file name after the first dot, in the form that a batch's name
// may have.
func extension(file string) string {
	_, ext, _ := strings.Cut(filepath.Base(file), ".")
	clean := strings.Map(func(r rune) rune {
		if r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, ext)
	if len(clean) > 16 {
		clean = clean[len(clean)-16:]
	}
	return strings.TrimPrefix(clean, ".")
}

// LooksLike returns an error if a file does not look like a batch of a queue. It returns nil if the
// file looks like one, or if it cannot tell. compression is the compression according to its first
// bytes: zst, gz, or "". A queue of compressed batches accepts plain text, because stages detect
// the compression from the first bytes.
func LooksLike(s *script.Script, queue, file, compression string) error {
	q := s.Queue(queue)
	if q == nil {
		return nil // Sensible refuses such a request
	}
	is, packed := kind.Of(extension(file))
	want, wantPacked := kind.Of(q.Ext)
	switch {
	case packed != compression:
		return fmt.Errorf("its first bytes are %s, its name says %s", kind.InWords(compression), kind.InWords(packed))
	case compression != "" && wantPacked == "":
		return fmt.Errorf("its first bytes are %s, the batches of %s are not compressed",
			kind.InWords(compression), queue)
	case is == want:
		return nil
	case want != "":
		return fmt.Errorf("the batches of %s are .%s files", queue, q.Ext)
	}
	for _, other := range s.Queues {
		if k, _ := kind.Of(other.Ext); k == is {
			return fmt.Errorf("the batches of %s are .%s files, .%s is what %s holds",
				queue, q.Ext, other.Ext, other.Name)
		}
	}
	return nil
}
