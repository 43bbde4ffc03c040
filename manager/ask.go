package main

import (
	"flag"
	"fmt"
	"strings"

	"multitext/manager/internal/ask"
	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
)

const addHelp = `Brings files into a queue, each as a batch, a thousand in a transaction. They are copied,
and keep their extension; they must be what the queue's readers read.

A file that does not look like a batch of the queue is refused: by its extension,
where that is one that the script gives to a queue, or by its first bytes, where
they are of another compression than its name says, or because the program that verifies
the queue's batches (verify in its table) finds fault with it: where there is none,
nobody looks within.

They are copied twice: into the inbox, and from there. Where a running manager has no
room for the second, by the script's [limit] disk, the request waits until it has.

An add that fails, as on a full disk, says whether the files were added, will be by the
next run or verb, or are not. While it waits for that, an add of the same files to the
same queue, in the same order, is taken for the same one, and adds nothing twice; add them
twice on purpose by another -id. What is added under an -id of yours is added once,
however often you ask for it, also after the answer was lost: as long as the crawl's
history goes back to it.` + requestHelp

func addVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	force := fs.Bool("force", false, "add files that do not look like batches of the queue")
	id := fs.String("id", "", "the request's `name`, of a-z, 0-9 and -: it is carried out once, however often it is asked for")
	return func(args []string) error {
		if *id != "" && !ask.IsID(*id) {
			return fmt.Errorf("%w: -id %.80q is no name of at most 64 of a-z, 0-9 and -", errUsage, *id)
		}
		a, err := m.asker(args[0])
		if err != nil {
			return err
		}
		return a.Add(args[1], *id, args[2:], *force)
	}
}

const retryHelp = `Puts back the batches that were set aside, or wait after a failure, by a stage or
by all stages: they are due at once and have all their tries again. So is a stage
that rests after failures, with batches or by the clock.` + requestHelp

func retryVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	return m.named("retry")
}

const forgetHelp = `Lets go of what the script no longer names and the crawl still holds: a stage,
with the batches that it alone still owed; a state, with its segments; a queue,
with its batches. They are removed for good. What the script still names is never
forgotten.` + requestHelp

func forgetVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	return m.named("forget")
}

// named asks for what a verb does with the name behind the script; "" where there is none.
func (m *invocation) named(verb string) func([]string) error {
	return func(args []string) error {
		a, err := m.asker(args[0])
		if err != nil {
			return err
		}
		return a.Ask(crawl.Request{Verb: verb, Name: strings.Join(args[1:], "")})
	}
}

const dropHelp = `Lets go of batches: one that was added by mistake, or that its reader will never
take. Nobody owes it any more, and its file is removed for good; what stages have
made of it already stays. A batch that a run is reading is not dropped.

A batch of a queue that is kept, or that no stage reads, is what the crawl was made
for: such a one goes only with -product. With -n drop says what would go, and drops
nothing.

A batch, or a segment of a state, that is lost is let go of in the same way, and the
transaction says what was lost. What only a segment knew, as which URLs were seen, is
unknown from then on.
BATCH is as ls, status and log name it.` + requestHelp

func dropVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	why := fs.String("why", "", "a `reason`, kept in the log; manager show tells it")
	dry := fs.Bool("n", false, "say what would go, and drop nothing")
	product := fs.Bool("product", false, "drop products of the crawl, too")
	return func(args []string) error {
		a, err := m.asker(args[0])
		if err != nil {
			return err
		}
		c, err := m.look(args[0])
		if err != nil {
			return err
		}
		return a.Drop(c, args[1:], *why, *dry, *product)
	}
}

const requestHelp = `

Beside a running manager the request is left in the crawl's inbox, and that
manager takes it within a second or so; without one it is carried out at once.
Either way it is a transaction: manager log shows it, and a crash neither loses
it nor does it twice.`

// asker asks for the crawl of the script at path.
func (m *invocation) asker(path string) (*ask.Asker, error) {
	s, err := view.Script(path, m.vars.list)
	if err != nil {
		return nil, err
	}
	return &ask.Asker{Script: s, Path: path, Disk: m.disk, Out: m.out, Say: m.say, Forget: m.call("forget", path)}, nil
}
