package main

import (
	"flag"
	"fmt"
	"strings"

	"multitext/manager/internal/ask"
	"multitext/manager/internal/crawl"
)

const addHelp = `Adds files to a queue. Each file becomes a batch; a transaction adds up to a thousand. The
files are copied and keep their extension. The readers of the queue must understand their
format.

add refuses a file that does not look like a batch of the queue. This is so if the script
uses its extension for another queue, or if its first bytes do not match the compression in
its name. It is also so if the program that verifies the queue's batches (verify in the
queue's table) reports an error. Without such a program, add does not check the content.

add copies the files into the inbox. They become batches without another copy. If a
running manager cannot take them, for instance because the disk is full, the request waits.

If add fails, for instance because the disk is full, it prints whether the files were
added, will be added by the next run or verb, or are not added. In the second case you can
repeat the command: the same files, in the same order, to the same queue, are the same
request, and are added only once. To add them twice, use another -id. All requests with
one -id add their files once in total, even if the response was lost. This holds as long
as the history of the crawl goes back to the first request.` + requestHelp

func addVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	force := fs.Bool("force", false, "add files that do not look like batches of the queue")
	id := fs.String("id", "",
		"the request's `name`, of a-z, 0-9 and -: requests with the same name are carried out only once")
	return func(args []string) error {
		if *id != "" && !ask.IsID(*id) {
			return fmt.Errorf("%w: -id %.80q is not a name of at most 64 characters from a-z, 0-9 and -", errUsage, *id)
		}
		a, err := m.asker(args[0])
		if err != nil {
			return err
		}
		return a.Add(args[1], *id, args[2:], *force)
	}
}

const retryHelp = `Puts back the batches of a stage, or of all stages, that were set aside or that wait after
a failure. They are due at once and have all their tries again. If a stage rests after
failures, retry ends the rest.` + requestHelp

const forgetHelp = `Deletes a stage, state or queue from the crawl that the script no longer names. With a
stage, forget deletes the batches that only this stage had yet to read. With a state, it
deletes the segments. With a queue, it deletes the batches. They cannot be restored. forget
refuses a name that the script still contains.` + requestHelp

// asks returns the setup of a verb that makes a request about the name after the script. The name
// is "" if there is none.
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

const dropHelp = `Removes batches, for instance one that was added by mistake or that its reader will never
accept. No stage has to read a dropped batch, and its file is deleted permanently. The
outputs that stages have already made from it stay. drop refuses a batch that a run is
reading.

Batches of a queue that is kept, or that no stage reads, are the crawl's products. drop
removes them only with -product. With -n it prints what it would remove, and removes
nothing.

drop also removes a batch or a segment of a state whose file is lost. The transaction
records what was lost. The crawl then no longer knows what only this segment contained,
such as which URLs were seen.
BATCH is a name as ls, status and log print it.` + requestHelp

func dropVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	why := fs.String("why", "", "write a `reason` to the log; manager show prints it")
	dry := fs.Bool("n", false, "print what would be removed, and remove nothing")
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

If a manager runs the crawl, the verb puts the request into the crawl's inbox, and that
manager takes it within about a second. Otherwise the verb carries out the request itself.
In both cases it is a transaction: manager log shows it, and a crash neither loses it nor
repeats it.`

// asker returns an Asker, which makes requests to the crawl of the script at path.
func (m *invocation) asker(path string) (*ask.Asker, error) {
	s, err := m.read(path)
	if err != nil {
		return nil, err
	}
	return &ask.Asker{Script: s, Disk: m.disk, Out: m.out, Say: m.say, Forget: m.call("forget", path)}, nil
}
