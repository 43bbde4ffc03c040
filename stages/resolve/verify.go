package main

import "sync"

// entryChecker returns a function that checks entries of the state for -verify. The function
// returns the origin in an entry, whose key the entry must have, or an error if the entry cannot be
// parsed.
func entryChecker() func(value []byte) (origin string, err error) {
	newCodec := sync.OnceValues(newCodec)
	return func(value []byte) (origin string, err error) {
		codec, err := newCodec()
		if err != nil {
			return "", err
		}
		e, err := codec.unpack(value)
		if err != nil {
			return "", err
		}
		return e.origin, nil
	}
}
