package results

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/BurntSushi/toml"
)

// Parameters reads a file of parameters into p; a key that p does not have is an error.
func Parameters(file string, p any) error {
	m, err := toml.DecodeFile(file, p)
	if err != nil {
		return fmt.Errorf("read the parameters: %w", err)
	}
	if unknown := m.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("read the parameters: %s: nobody knows %s", file, unknown[0])
	}
	return nil
}

// Random is a source of its own for each purpose and draw, so that one more of them changes no
// other. seed is that of the parameters.
func Random(seed uint64, draw int, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed+uint64(draw), h.Sum64()))
}
