// Command scramble spreads the hosts of URL batches, so that no web server is asked for much at
// once.
//
// The thesis (3.2.2) shuffles. A shuffle leaves a host's URLs where chance puts them, next to
// each other as well; here they are laid out instead, those of each host at nearly even distances
// (spread in spread.go). So a host has the longest time between two requests, and a batch
// cut from the result holds as many hosts as it can.
//
// The order of a host's own URLs is kept. The result depends on the records and the seed alone.
//
// Inputs are laid out in portions of a quarter of a million records, one behind the other in the
// one output: that is what is in memory, however much waits. A portion is fifty batches of fetch's,
// so nothing is lost by it.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:  "scramble",
		Short: "spreads the hosts of URL batches",
		Long: `Reads URL batches and writes all their records as one batch to -out, those of one host (name
and port) as far apart as they can be. The order within a host stays.

Leave the flow: bad-line.

Memory: mostly under 100 MB, at most some 180 MB where every record has a host of its own, for
262,144 records or 32 MiB of them are spread at a time.`,
		Example: `scramble -out - links.zst | head`,
	}
}

// setupWith returns the stage with the portion that it spreads at a time.
func setupWith(portion urlbatch.Portion) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		out := fs.String("out", "-", "write the records to `FILE`")
		seed := fs.Uint64("seed", 0, "choose among orders that are as good by `NUMBER`; 0 takes one from the records")
		return func(ctx context.Context, env *stage.Env) error {
			if err := env.Ready(); err != nil {
				return err
			}
			return scramble(ctx, env, portion, *out, *seed)
		}
	}
}

func main() {
	stage.Main(tool(), setupWith(urlbatch.Portion{Records: 256 << 10, Bytes: 32 << 20}))
}
