// Package txlog is the transaction log of a crawl: an append-only text file that
// says which runs of which stages count. What it names is there; what it does
// not name never happened (thesis, section 3.2.1).
//
// # The promise
//
// A transaction has happened from the instant its commit line is durable. After
// a crash at any instant, replaying the log gives the state of the crawl: which
// batches are live, who has read them, which segments make up each state, what
// waits until when. Everything else in the crawl's directory is either garbage
// of a run that did not commit, or a redo action not yet carried out; both are
// told apart by the log alone, never by looking at directories.
//
// Not promised: that a line survives which Append did not acknowledge, that two
// writers can share a log (the crawl's lock sees to that), and that damage to
// the last line can always be told from a write that was cut off. The last is
// caught elsewhere: the manager finds the files that the lost line consumed missing, or
// those that it left, with a number that no line gave out, and refuses. So it does with an
// older copy of a log, put in its place, and where history/ holds a later one.
//
// Order is that of the lines, and never that of the clock: the times in them say
// how long something waits, and are for people.
//
// Exported batches leave the live set with the line that commits them. Another
// machine may remove them from then on, and no start ever misses them. They may lie
// in folders of their queue. A queue that is exported from some day on gives all that
// it holds then away with one line, too.
//
// # The format, version 1
//
// A line is
//
//	hhhhhhhhhhhhhhhh body\n
//
// where h is, as 16 hex digits, XXH64 (seed 0) of the 16 digits of the line
// before followed by the body; the first line follows sixteen zeros. A body is
// a kind and fields, each behind a tab:
//
//	kind\tkey=value value\tkey=value
//
// The fields of a kind stand in the order in which they are listed here.
//
// Values hold only bytes 0x21 to 0x7e; all others and '%' are written as %xx, an
// empty value as "-". Times are UTC to the millisecond, sizes are bytes, hashes
// XXH64 of a file in 16 hex digits. So less, grep and awk read a log as it is;
// there is no length field that could be torn, and a reader finds the next line
// by its newline.
//
// A file begins with a checkpoint, closed by an end line that counts it:
//
//	log      version epoch generation next seq lastbatch
//	batch    file=NAME SIZE HASH RECORDS FLAGS DUE  since  read=STAGE…  mark=…
//	segment  state  file=NAME SIZE HASH RECORDS FLAGS DUE
//	stage    name last seq row rest commits aborts records cpu_us wall_ms mem
//	         reason… count… because…
//	queue    name=NAME BATCHES RECORDS BYTES [BROUGHT]
//	                                                ever committed to it; BROUGHT batches by no
//	                                                stage, none where it is not there
//	readers  queue  stage=STAGE…                    as of the last run
//	seed     key                                    brought in
//	request  id                                     answered, not yet known to be removed
//	part     id done                                of a request that is answered in part
//	remove   file                                   left the live set, not yet known to be removed
//	place    file                                   exported, not yet known to be in place
//	end      lines
//
// The last of a stage is the start of its last run that has ended.
//
// NAME is the path of a file within the crawl's directory, QUEUE/m-T-N.EXT or
// state/STATE/m-T-N.EXT, of an exported batch also QUEUE/FOLDER/m-T-N.EXT; RECORDS is
// -1 where nobody counted; FLAGS are made (records of another unit than the input's)
// and export; mark is NAME STAGE FAILS LATERS UNTIL FLAGS, with the flags alone and
// aside.
//
// Behind the checkpoint stands one line per transaction that ended:
//
//	commit  tx stage start end cpu_us mem exit run=ARGV… shown=WORD HASH read
//	        in=NAME RECORDS gone|kept  out=NAME SIZE HASH RECORDS FLAGS DUE
//	        state  segment=(as out)  replaced=NAME  reason=NAME N  count=NAME N
//	        because=NAME N EXAMPLE REMEDY  note  seed  request  part=ID N  reset=NAME STAGE
//	        forget=KIND NAME  gone=NAME  export=QUEUE  was=STAGE STAGE  stderr
//	abort   tx stage start end cpu_us mem exit run shown why in mark row rest stderr
//
// shown is a file that the script has the run read, WORD what stands for it in the command, and
// HASH what was in it: empty where that could not be told, as the file changed meanwhile. because
// tells of N records that went no further for the reason NAME. It has an EXAMPLE of them, and the
// REMEDY if there is one, in the first line of a stage in which there is an example, and not again;
// a stage's line in the checkpoint has them all.
//
// The NAME of a reset is a batch that was put back, or - for the stage itself, which
// rests no more and is taken as never started. KIND is stage, state or queue, or
// reader: then NAME is QUEUE/STAGE, a stage that stays and reads the queue no more. A
// was tells that the first STAGE is called by the name of the second from here on. A
// why of "stopped" or "try later" is no failure, and is not counted in aborts.
// Repeated things repeat their field.
//
// A request that asks for more than fits in one transaction is answered by several: those
// before the last have part, the id of the request and how many of its files or batches
// are done with, and only the last has request.
//
// A kind, field, value or word that a program does not know is refused by it, for it may change
// what is live. So the version can grow: what is added is refused by the programs from before, and
// what they wrote is read for ever. A reset of a stage, the parts of a request, an export of a
// whole queue, shown, because, BROUGHT, was, and a segment that is gone were added so.
//
// # Numbers
//
// A transaction takes its number at its start and keeps it as the suffix of
// every file it leaves. Numbers are never used again: the next one is above
// everything in the log and under work/, and a checkpoint records it before work/ is
// emptied. A name elsewhere with a number above is what a lost line has left.
//
// # Recovery
//
// A start reads the log and writes a new generation of it (temporary name, sync,
// rename, sync of the directory): torn ends, and bytes whose sync failed, die
// with the old one, which goes into history/ as log-GGGGGG.zst, to be read by
// people and never by recovery. A log in which nothing follows the checkpoint does not:
// the new one takes its place and its generation. Of what is sealed the oldest may be
// removed at any time (Log.Trim), or by hand. Then:
//
//   - a bad last line was being written when the power went, and is dropped,
//     zeroes behind it included;
//   - a bad line with anything else behind it is damage, and is refused;
//   - so is a checkpoint without its end, for it was put in place whole;
//   - no log in a directory that is not empty is refused by the manager: it
//     never means that nothing is live.
//
// A start keeps of what it reads only the state. Files that have left the live set stay in
// it until a checkpoint forgets them, which the bound below keeps to some 10,000.
//
// While a crawl runs, a new generation begins whenever the log has grown beyond
// its checkpoint by 4 MB or by the checkpoint's own size, whichever is more.
// Before a checkpoint forgets a redo action, the directory in which it took
// place is synced.
//
// After a failed write or sync nothing is known about the end of the file, so
// the Log refuses all further use; only the next start may look.
//
// # What is asked of the file system
//
// After a power cut a file's content is there if the file was synced, and its
// name if the directory was. A rename within the file system is one step, on the
// disk too, and a directory is gone only once everything in it is: both hold
// wherever changes of directories are journalled in order, as by ext4 with its journal
// and XFS, and on Btrfs. Nothing more is relied on: what was not synced may be lost, kept or torn,
// each without the others. Package crash makes such states (Model), and the manager's
// tests start from them.
package txlog
