package main

import (
	"flag"
	"fmt"
	"strings"

	"multitext/manager/internal/ask"
	"multitext/manager/internal/crawl"
)

const addHelp = `Brings files into a queue, each as a batch, a thousand in a transaction. They are
copied and keep their extension. They must be what the queue's readers read.

A file is refused that does not look like a batch of the queue: its extension is one
that the script gives to another queue, its first bytes are of another compression than
its name says, or the program that verifies the queue's batches (verify in its table)
finds a fault in it. Without such a program its content is not checked.

Files are copied into the inbox, and become batches from there without another copy. If
a running manager cannot take them, as on a full disk, the request waits.

An add that fails, as on a full disk, says whether the files were added, will be added
by the next run or verb, or are not added. In the second case another add of the same
files to the same queue, in the same order, is the same request and adds nothing twice;
to add them twice, give another -id. What is added under an -id is added once, however
often it is asked for, even if the answer was lost, for as long as the crawl's history
goes back to it.` + requestHelp

func addVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	force := fs.Bool("force", false, "add files that do not look like batches of the queue")
	id := fs.String("id", "",
		"the request's `name`, of a-z, 0-9 and -: it is carried out once, however often it is asked for")
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

const retryHelp = `Puts back the batches that a stage, or any stage, has set aside or that wait after a
failure: they are due at once and have all their tries again. A stage that rests after
failures may start at once.` + requestHelp

const forgetHelp = `Removes what the crawl still holds and the script no longer names: a stage, with the
batches that only it still had to read; a state, with its segments; a queue, with its
batches. They are removed for good. What the script names is never forgotten.` + requestHelp

// asks makes a verb of a request about the name behind the script; "" where there is none.
func asks(verb string) setup {
	return func(m *invocation, _ *flag.FlagSet) func([]string) error {
		return func(args []string) error {
			a, err := m.asker(args[0])
			if err != nil {
				return err
			}
			return a.Ask(crawl.Request{Verb: verb, Name: strings.Join(args[1:], "")})
		}
	}
}

const dropHelp = `Removes batches, such as one that was added by mistake or that its reader will never
take. No stage has to read it any more, and its file is removed for good. What stages
have already made of it stays. A batch that a run is reading is not dropped.

Batches of a queue that is kept, or that no stage reads, are the crawl's products: they
go only with -product. With -n drop says what would go, and drops nothing.

A batch or a segment of a state whose file is lost is dropped in the same way, and the
transaction says what was lost. What only that segment knew, such as which URLs were
seen, is forgotten.
BATCH is named as ls, status and log name it.` + requestHelp

func dropVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	why := fs.String("why", "", "a `reason`, kept in the log; manager show tells it")
	dry := fs.Bool("n", false, "say what would go, and drop nothing")
	product := fs.Bool("product", false, "drop products of the crawl, too")
	return func(args []string) error {
		a, err := m.asker(args[0])
		if err != nil {
			return err
		}
		c, err := m.lookAt(a.Script)
		if err != nil {
			return err
		}
		return a.Drop(c, args[1:], *why, *dry, *product)
	}
}

const requestHelp = `

If a manager runs, the request is left in the crawl's inbox, and that manager takes it
within about a second. If none runs, it is carried out at once. Either way it is a
transaction: manager log shows it, and a crash neither loses it nor does it twice.`

// asker makes requests to the crawl of the script at path.
func (m *invocation) asker(path string) (*ask.Asker, error) {
	s, err := m.read(path)
	if err != nil {
		return nil, err
	}
	return &ask.Asker{Script: s, Disk: m.disk, Out: m.out, Say: m.say, Forget: m.call("forget", path)}, nil
}
