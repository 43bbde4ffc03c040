// Package txlog implements the transaction log of a crawl. The log is an append-only
// text file that records which runs of which stages have committed. A run that is not in
// the log has no effect (thesis, section 3.2.1).
//
// # The promise
//
// A transaction has happened once its commit line is durable. After a crash at any
// instant, replaying the log yields the state of the crawl: which batches are live, which
// stages have read them, which segments make up each state, and what waits until when.
// Every other file in the crawl's directory is either garbage of a run that did not
// commit, or the subject of a redo action that is still to be done. The log alone
// distinguishes the two, without a look at directories.
//
// The log does not promise that a line survives if Append did not acknowledge it. It does
// not allow two writers; the crawl's lock excludes the second. It cannot always distinguish
// damage to the last line from an interrupted write. The manager detects such a loss by
// other means, and refuses to start: the files that the lost line consumed are missing, or
// the files that it wrote have a number that no line in the log has. The manager also
// refuses a log that was replaced by an older copy, and a log older than one in history/.
//
// The order of events is the order of the lines, never that of the clock. The times in the
// lines say how long something waits, and inform people.
//
// The line that commits an exported batch also removes it from the live set. From then on
// another machine may delete the batch, and no start ever looks for it. Exported batches may
// be in subfolders of their queue. If a queue becomes exported later, one line exports all
// batches that it contains at that time.
//
// # The format, version 1
//
// A line is
//
//	hhhhhhhhhhhhhhhh body\n
//
// where h is a checksum in 16 hex digits: XXH64 (seed 0) of the 16 digits of the previous
// line followed by the body. For the first line the previous digits are sixteen zeros. A
// body is a kind followed by fields, each after a tab:
//
//	kind\tkey=value value\tkey=value
//
// The fields of a kind are in the order in which this comment lists them.
//
// Values contain only bytes 0x21 to 0x7e. All other bytes and '%' are written as %xx, and
// an empty value as "-". Times are UTC with milliseconds. Sizes are in bytes. A hash is
// the XXH64 of a file in 16 hex digits. So less, grep and awk can read a log. There is no
// length field that a crash could tear, and a reader finds the next line by the newline.
//
// A file begins with a checkpoint. An end line closes it and gives its number of lines:
//
//	log      version epoch generation next seq lastbatch
//	batch    file=NAME SIZE HASH RECORDS FLAGS DUE  since  read=STAGE…  mark=…
//	segment  state  file=NAME SIZE HASH RECORDS FLAGS DUE
//	stage    name last seq row rest commits aborts records cpu_us wall_ms mem
//	         reason… count… because…
//	queue    name=NAME BATCHES RECORDS BYTES [BROUGHT]
//	                                                totals ever committed to it; BROUGHT is the
//	                                                number of batches that no stage wrote; if it
//	                                                is missing, there are none
//	readers  queue  stage=STAGE…                    the readers in the last run of the manager
//	seed     key                                    a seed that was added
//	request  id                                     answered; its file may still be in inbox/
//	part     id done                                of a request that is answered in part
//	remove   file                                   not live any more; may still exist
//	place    file                                   exported; may not yet be in its queue
//	end      lines
//
// The field last of a stage is the start time of the last run of the stage that has ended.
//
// NAME is the path of a file within the crawl's directory: QUEUE/m-T-N.EXT for a batch,
// also QUEUE/FOLDER/m-T-N.EXT for an exported batch, and state/STATE/m-T-N.EXT for a
// segment. RECORDS is -1 if the number is unknown. FLAGS are made (the records have
// another unit than the input's), export, latest (the batch is due at DUE, or sooner where
// nothing else can run), and product (the clock has started a stage without state and none
// reads the queue, so the end of the crawl waits for nothing). A mark is NAME STAGE FAILS LATERS UNTIL
// FLAGS, with the flags alone and aside.
//
// After the checkpoint, each transaction that has ended has one line:
//
//	commit  tx stage start end cpu_us mem exit run=ARGV… shown=WORD HASH read
//	        in=NAME RECORDS gone|kept  out=NAME SIZE HASH RECORDS FLAGS DUE
//	        state  segment=(as out)  replaced=NAME  reason=NAME N  count=NAME N
//	        gauge=NAME N  because=NAME N EXAMPLE REMEDY  note  seed  request  part=ID N
//	        reset=NAME STAGE  forget=KIND NAME  gone=NAME  export=QUEUE  was=STAGE STAGE
//	        stderr
//	abort   tx stage start end cpu_us mem exit run shown why in mark row rest stderr
//
// A shown field is a file that the script shows to the run: WORD is its placeholder in the command,
// and HASH is the hash of its content. HASH is empty if the file changed during the run or could
// not be read. A count is added to those of the runs before it; a gauge is a number as it is after
// the run. A count of a stage line is the sum of the counts, or the last gauge. A because field
// says that N records were dropped for the reason NAME. EXAMPLE is one of these records; REMEDY
// says what to do, if anything. Both are written only once, in the first line of the stage that has
// an example. The stage line of a checkpoint contains them all.
//
// The NAME of a reset is a batch that was put back, or - for the stage itself. A reset stage rests
// no longer and counts as never started. KIND is stage, state, queue or reader. With reader, NAME
// is QUEUE/STAGE: a stage that remains but no longer reads the queue. A was field renames the first
// STAGE to the second from this line on. An abort with the why "stopped" or "try later" is no
// failure, and aborts does not count it. A field is repeated for each further item.
//
// A request that does not fit into one transaction is answered by several. Each but the last has
// the field part: the id of the request, and how many of its files or batches are done. Only the
// last has the field request.
//
// A program refuses a kind, field, value or word that it does not know, because it may change what
// is live. So the format can be extended within one version: older programs refuse a new log, and
// newer programs read every older log. These were added in this way: a reset of a stage, the parts
// of a request, an export of a whole queue, shown, because, BROUGHT, was, a segment in gone, gauge,
// latest, and product.
//
// # Numbers
//
// A transaction gets its number when it starts. Every file that it writes has this number as
// a suffix. A number is never used again: the next one is above all numbers in the log and
// under work/, and a checkpoint records it before work/ is emptied. If a file elsewhere has
// a higher number, the log has lost a line.
//
// # Recovery
//
// A start reads the log and writes a new generation of it (temporary name, sync, rename,
// sync of the directory). So the new log contains no torn end and no bytes whose sync
// failed. The old log is moved to history/ as log-GGGGGG.zst. People can read it there;
// recovery never does. If nothing follows the checkpoint in the old log, the new one
// replaces it and takes its generation number. The oldest logs in history/ may be deleted at
// any time, by Log.Trim or by hand. The start treats errors as follows:
//
//   - A bad last line, with any zeroes after it, is dropped: it was being written
//     when the power failed.
//   - A bad line with anything else after it is damage. The start refuses the log.
//   - A checkpoint without its end line is damage, too, because a checkpoint is
//     put in place as a whole.
//   - The manager refuses a directory that is not empty and has no log. A missing
//     log never means that nothing is live.
//
// A start stores only the state in memory. The state includes the files that have left the
// live set, until the next checkpoint. The bound below limits them to about 10,000.
//
// While a crawl runs, a new generation begins whenever the log has grown beyond its
// checkpoint by 4 MB or by the size of the checkpoint, whichever is more. The log syncs the
// directory of a redo action before a checkpoint drops the action.
//
// After a failed write or sync the end of the file is unknown. So the Log refuses all
// further use, and only the next start may read the file.
//
// # What the log requires of the file system
//
// After a power failure the content of a file exists if the file was synced. Its name exists
// if the directory was synced. A rename within the file system is atomic, on the disk too. A
// directory disappears only after everything in it. Both hold on ext4 with its journal, XFS
// and Btrfs, because these apply changes of directories in order. The log relies on nothing
// else: data that was not synced may be lost, kept or torn, each part independently. Package
// crash creates such states (Model), and the manager's tests start from them.
package txlog
