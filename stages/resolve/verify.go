package main

import (
	"context"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// verify checks segments of the state: each entry can be read, and stands under the key of the
// origin that it names.
func verify(ctx context.Context, env *stage.Env) error {
	codec, err := newCodec()
	if err != nil {
		return err
	}
	entry := func(value []byte) (origin string, err error) {
		e, err := codec.unpack(value)
		if err != nil {
			return "", err
		}
		return e.origin, nil
	}
	return stage.Verify(ctx, env, func(path string) error { return segment.VerifyFile(path, env.Hash, entry) })
}
