package main

import (
	"context"
	"fmt"

	"multitext/stages/internal/segment"
	"multitext/stages/internal/stage"
)

// verify checks segments of the state: each entry can be read, and stands under the key of the
// origin that it names.
func verify(ctx context.Context, env *stage.Env) error {
	codec, err := newCodec()
	if err != nil {
		return err
	}
	entry := func(key uint64, value []byte) error {
		e, err := codec.unpack(value)
		if err == nil && keyOf(e.origin) != key {
			err = fmt.Errorf("entry of %q, whose key is %016x", e.origin, keyOf(e.origin))
		}
		return err
	}
	return stage.Verify(ctx, env, func(path string) error { return segment.VerifyFile(path, entry) })
}
