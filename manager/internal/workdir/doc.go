// Package workdir manages a crawl's directory. It locks the directory, creates a folder for each
// transaction in progress, moves the outputs of a committed run into their queues, removes its
// inputs, and recovers the directory after a crash. [Recovery] lists every state that a crash can
// leave.
//
//	secret        128 random bits in hex, created when the crawl begins and never changed; the
//	              key for the hashes of its stages; a copy of the crawl needs it, too
//	log           the transaction log
//	history/      sealed logs, and the script of the last start, with the values of its vars
//	inbox/        requests of other verbs, each in a directory with a random name, which begins
//	              with a dot until the request is complete
//	work/T/       the transaction T in progress: run, report, stderr, tmp/, and its outputs
//	              under the names that they will have when committed
//	state/STATE/  segments
//	failed/T      the end of stderr of a run whose input was set aside
//	QUEUE/        batches; every file in it is complete and committed
//	QUEUE/FOLDER/ the same, in a queue for other machines
//
// The manager makes every change through a txlog.Disk. Stages write their files in work/T, stderr
// included, without it. These rules hold:
//
// One manager, [Dir.Lock]. A start kills the processes that a dead manager has left running, and
// waits until they end.
//
// One user, [Open]. Only the owner can read the files that the manager creates (0700, 0600). To let
// others read a product, change the permissions of its folder and of the crawl's directory.
//
// One file system, [Dir.Layout] and [Tx.Seal]. A batch enters its queue by a rename, never by a
// copy.
//
// Durable before the commit, [Tx.Seal]. Before the manager writes the line of a commit, it syncs
// each output, then each directory above it, up to work/. When it creates a directory, it also
// syncs the parent. Renames and removals need no sync, because a start repeats them from the log. A
// checkpoint syncs their directories before it drops them from the log.
//
// A roll-back removes work/T. Before its commit line, a transaction has files only there, and no
// other transaction has files there. A file of a request to add is linked there and keeps its name
// in inbox/ until the line is durable. After the line, work/T is removed as well, once the outputs
// are in their queues.
//
// Committed files do not change. They lose their write permission before the commit, and a rename
// never replaces a file.
//
// The log determines which files exist. A stage gets the names of its inputs and segments, and a
// start uses the log, so nobody reads a half-written file. A start lists a directory only to find
// numbers in names, and removed files that still exist. Only the verbs that show a crawl look for
// files that are not in the log.
package workdir
