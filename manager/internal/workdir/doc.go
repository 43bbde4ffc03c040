// Package workdir is a crawl's directory: its lock, the private directories of
// running transactions, and the moves that make a committed run's files appear
// and its inputs go.
//
//	secret        128 random bits in hex, made at the crawl's birth and never changed, for
//	              what its stages hash; who puts a crawl back from a copy puts it back, too
//	log           the transaction log
//	history/      sealed logs, and the script of the last start, with the values that
//	              its vars were given
//	inbox/        requests of other verbs, each a directory with a random name,
//	              hidden by a dot until it is whole
//	work/T/       transaction T under way: run, report, stderr, tmp/, and its
//	              outputs under the same names that they will have when committed
//	state/STATE/  segments
//	failed/T      the end of stderr of a run whose input was set aside
//	QUEUE/        batches; every file in it is whole and committed
//	QUEUE/FOLDER/ the same, where the queue is for other machines
//
// Every change that the manager makes goes through a txlog.Disk; what a stage
// writes within its work/T, stderr included, is the stage's.
//
// # What keeps it so
//
// One manager. The lock is a flock on the directory itself, which is opened once and
// handed down to every process started, so that it is held until the last of them has
// died. Who that is the kernel tells, under /proc.
// A start ends what a dead manager left running, wherever it has gone, and waits
// for it: what holds the lock, and what names a run or service of this crawl in its
// environment. What does not die in time is named and the start refused.
//
// One user. What the manager makes is for its owner alone (0700, 0600); who wants others to
// read a product opens its folder to them, and the directory. A start refuses a directory
// that is another user's or that others may write, and warns of one that others may open:
// they could hold its lock. A request is taken from inbox/ only in regular files of this user that have no other name: else who may
// write there had as a batch what only the manager may read.
//
// One file system. A batch is put in its place by a rename, never by a copy: a
// directory of the crawl that lies on another file system or mount, were it a bind mount
// of the same disk, is refused by a start, and so is NFS, where locks and renames mean
// less. So is a link in the place of a folder of an exported queue, for other machines may
// have put it there. Before each commit both ends of its renames are looked at again: a
// run that left an output behind a link or a mount has failed, and one whose queue was
// mounted on meanwhile waits until that is gone.
//
// Durable before it counts. Before the line of a commit is written each output is
// synced, then each directory on the way to it, up to work/. A directory that is
// made is synced with the one it lies in. Renames and removals need no sync: they
// follow from the log and are carried out again, until a checkpoint, which syncs
// their directories before it forgets them. It syncs those alone: so a folder of an
// exported queue, which is made when its first batch is put into it, is synced first.
//
// Roll-back is: remove work/T. Nothing of a transaction lies anywhere else before its
// line, and nothing of another lies there. A file of a request to add has a second name
// there, by a link, and keeps the one in inbox/ until the line is durable. After the line it is removed as well, once the
// outputs are in their places.
//
// Committed files do not change. They lose their write permission before the
// commit, and nothing is renamed onto a name that exists.
//
// Nobody lists. A stage is given the names of its inputs and segments, and a start
// goes by the log, so that a half-written file is never met: where it lists a
// directory, it is for the numbers in names, and for which of the files that the log
// lets go of are still there. Only the commands that show a crawl look for files that
// the log does not name.
//
// # What a start may find
//
// A manager that is ended at any instant leaves one of these states, or several
// at once. In all of them the next start goes on, after what is said here. A test
// of the manager makes each one, has it foretold by recover -n, and runs it.
//
//	nothing        no directory, or an empty one: the crawl is born
//	secret-only    a secret and no log: it is born, with that secret
//	half-born      a secret or a first log under a temporary name: removed, and it is born
//	born           a secret, a log and nothing else: the directories are made
//	no-secret      a log and no secret, as of a crawl that an earlier manager has begun: none
//	               is made; a stage whose state was made with one says that it is gone
//	settled        every live file in its place: nothing is to be done
//	torn           a log that ends within a line: that line never was
//	log-temp       a next log under a temporary name: removed
//	history-temp   a copy of a log or script under a temporary name: removed
//	sealed         the copy of a log in history/ that is still in use: made again
//	prepared       work/T without run and without a line: cleared away
//	running        work/T with run: rolled back, its inputs wait again
//	ended          the same with whole outputs and a report: rolled back as well
//	committed      outputs and segment of a committed T in work/T, its inputs still
//	               there: put in their places, then the inputs are removed
//	half-placed    some of them in their places already: the others follow
//	placed         all in place, a consumed input still there: it is removed
//	replaced       a segment whose place another has taken: it is removed
//	dropped        a batch that a request let go of: it is removed, and so is the request
//	exported       an exported batch in work/T: put in its place
//	given-away     the same of a queue that was exported since
//	fetched        an exported batch that is nowhere: another machine has it
//	far            an exported batch of a folder in work/T, and no such folder: it is
//	               made, and the batch put into it
//	far-made       the same, and the folder is there
//	far-fetched    such a batch and its folder are nowhere
//	half-cleared   work/T of a T whose end is in the log: cleared away
//	asked          a request in inbox/ that no line answers: it is answered
//	half-asked     a request under a hidden name: cleared away
//	answered       a request that a line answers: removed, not answered again
//	set-aside      a batch that its reader has given up: it stays, exit code 1
//	foreign        files that the log does not know, in queues and in work/: left alone
//
// # What a start refuses
//
// No crash leaves these. Nothing is changed, and the exit code is the one given.
//
//	held           another manager is alive: 3
//	no-log         files and no log: 5; that nothing is live it never means
//	no-end         a log whose checkpoint is not whole, or that is empty: 5
//	middle         a bad line with others behind it: 5
//	behind         a name in a queue, a state or failed/ with a number that the log never
//	               gave out, or a later log in history/: 5
//	gone           a live file that a stage is to read neither in its place nor under
//	               work/: 5
//	resized        such a file of another size: 5
//	no-file        something else under its name: 5
//	unnamed        live batches of a queue that the script does not name: 2
//
// Nor is anything changed by a start that cannot look at a file, as for a bad sector: it
// names the error and ends with 6, for the file may be there.
//
// A product that is gone, or a batch that was set aside, stops nothing: a start names it
// and goes on, and ends with 1. What is lost is let go of by manager drop.
//
// A live file with other bytes of the same number passes here: reading all of it
// at every start would take too long. manager verify reads it.
package workdir
