package main

import "sync"

// entryChecker judges entries of the state for -verify: each can be read, and stands under the key
// of the origin that it names.
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
