// Command scramble spreads the hosts of URL batches, so that no web server is asked for much at
// once.
//
// The thesis (3.2.2) shuffles. A shuffle leaves a host's URLs where chance puts them, next to
// each other as well; here they are laid out instead, those of each host at nearly even distances
// (spread in spread.go). So a host has the longest time between two requests, and a batch
// cut from the result holds as many hosts as it can.
//
// The order of a host's own URLs is kept. The result depends on the records and the seed alone.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/stage"
)

var tool = stage.Tool{
	Name:  "scramble",
	Short: "spreads the hosts of URL batches",
	Long: `Reads URL batches and writes all their records as one batch to -out, those of one host (name
and port) as far apart as they can be. The order within a host stays.

Leave the flow: bad-line.

Memory: the lines of the inputs, and some 120 bytes for each; "take" in a script bounds it.`,
	Example: `scramble -out - links.zst | head`,
}

func setup(fs *flag.FlagSet) stage.Body {
	out := fs.String("out", "-", "write the records to `FILE`")
	seed := fs.Uint64("seed", 0, "`NUMBER` that chooses among orders as good; 0 takes one from the records")
	return func(ctx context.Context, env *stage.Env) error {
		return scramble(ctx, env, *out, *seed)
	}
}

func main() { stage.Main(tool, setup) }
