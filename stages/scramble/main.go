// Command scramble spreads the hosts of URL batches, so that no web server gets many requests at
// once.
//
// The thesis (3.2.2) shuffles. A shuffle leaves the positions of a host's URLs to chance, and some
// end up next to each other. This command places the URLs of each host at nearly even distances
// instead (see spread in spread.go). So the time between two requests to a host is as long as
// possible, and a batch cut from the result holds as many hosts as possible.
//
// The URLs of one host keep their order. The result depends only on the records and the seed.
//
// The command spreads its inputs in portions of a quarter of a million records and writes them to
// one output, one portion after another. So memory holds one portion, however many records wait. A
// portion is as large as fifty batches of fetch, so the result is about as good as without
// portions.
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
		Long: `Reads URL batches and writes all their records to -out as one batch. Records of one host (name
and port) are as far apart as possible, and keep their order.

Records end here with one reason: bad-line.

Memory: usually under 100 MB; about 180 MB at most, if every record has a different host. The
stage spreads at most 262,144 records or 32 MiB of records at a time.`,
		Example: `scramble -out - links.zst | head`,
	}
}

// setupWith returns the setup of a stage that spreads one portion at a time.
func setupWith(portion urlbatch.Portion) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		out := fs.String("out", "-", "write the records to `FILE`")
		seed := fs.Uint64("seed", 0, "use `NUMBER` to choose among equally good orders; 0 derives it from the records")
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
