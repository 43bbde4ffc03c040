package warc

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Verify reads the whole batch at path, "-" being stdin: every member inflates to one record of
// the length it names, and has the digests it names, as far as they are SHA-1. The error is a
// [DamageError], or tells why the file cannot be read.
func Verify(ctx context.Context, path string, stdin io.Reader) error {
	r, err := Open(path, stdin)
	if err != nil {
		return err
	}
	defer r.Close()
	for ctx.Err() == nil {
		m, err := r.member()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = r.verify(m)
		}
		if err != nil {
			return err
		}
		r.recycle(m)
	}
	return ctx.Err()
}

// Verify checks the answer's two records as the function Verify does those of a batch.
func (a *Answer) Verify() error {
	for _, m := range []*member{a.response, a.request} {
		if m == nil {
			continue
		}
		if err := a.reader.verify(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) verify(m *member) error {
	block, err := m.whole()
	if err == nil {
		err = sameDigest(m, "WARC-Block-Digest", block)
	}
	if err == nil && m.recordType() == "response" && m.isAnswer() {
		err = m.verifyPayload(block)
	}
	if err != nil {
		return r.damage(m, err)
	}
	return nil
}

// verifyPayload compares the body with its digest. This package's writer takes it without transfer
// encoding, some others' with it.
func (m *member) verifyPayload(block []byte) error {
	h, body := splitHTTP(block)
	if h == nil {
		return nil // no HTTP: there is no body to speak of
	}
	payload, _ := h.dechunk(body)
	if sameDigest(m, "WARC-Payload-Digest", body) == nil {
		return nil
	}
	return sameDigest(m, "WARC-Payload-Digest", payload)
}

// sameDigest compares bytes with a digest of the record's header, if it has one of SHA-1.
func sameDigest(m *member, field string, b []byte) error {
	want := m.fields.Get(field)
	if _, err := parseDigest(want); err != nil {
		return nil
	}
	if got := digest(b); !strings.EqualFold(got, want) {
		return fmt.Errorf("%s says %s, the bytes have %s", field, want, got)
	}
	return nil
}
