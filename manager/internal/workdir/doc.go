// Package workdir is a crawl's directory: its lock, the directories of the transactions under way,
// the moves that put a committed run's files in their place and remove its inputs, and the recovery
// after a crash. [Recovery] lists every state that a crash can leave.
//
//	secret        128 random bits in hex, made at the crawl's birth and never changed, for what
//	              its stages hash; a copy of the crawl needs it, too
//	log           the transaction log
//	history/      sealed logs, and the script of the last start, with the values of its vars
//	inbox/        requests of other verbs, each a directory with a random name, hidden by a dot
//	              until it is whole
//	work/T/       transaction T under way: run, report, stderr, tmp/, and its outputs under the
//	              names that they will have when committed
//	state/STATE/  segments
//	failed/T      the end of stderr of a run whose input was set aside
//	QUEUE/        batches; every file in it is whole and committed
//	QUEUE/FOLDER/ the same, where the queue is for other machines
//
// Every change that the manager makes goes through a txlog.Disk. What a stage writes within its
// work/T, stderr included, is the stage's. These rules hold:
//
// One manager, [Dir.Lock]. A start ends what a dead manager left running, and waits for it.
//
// One user, [Open]. What the manager makes is for its owner alone (0700, 0600). To let others read
// a product, open its folder and the crawl's directory to them.
//
// One file system, [Dir.Layout] and [Tx.Seal]. A batch is put in its place by a rename, never by a
// copy.
//
// Durable before it counts, [Tx.Seal]. Before the line of a commit is written, each output is
// synced, then each directory above it, up to work/. A directory that is made is synced with the
// one it lies in. Renames and removals need no sync: they follow from the log and are made again,
// until a checkpoint, which syncs their directories before it forgets them.
//
// Roll-back is: remove work/T. Before its line nothing of a transaction lies elsewhere, and nothing
// of another lies there. A file of a request to add is linked there and keeps its name in inbox/
// until the line is durable. After the line work/T is removed as well, once the outputs are in
// their places.
//
// Committed files do not change. They lose their write permission before the commit, and nothing is
// renamed onto a name that exists.
//
// The log says what there is. A stage is given the names of its inputs and segments, and a start
// goes by the log, so nobody reads a half-written file. A start lists a directory only to see the
// numbers in names, and which files that the log removed are still there. Only the verbs that show
// a crawl look for files that the log does not name.
package workdir
