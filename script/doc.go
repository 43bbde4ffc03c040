// Package script parses and checks dataflow scripts, and knows the graph that
// they describe. This comment is the reference of the language.
//
// A script says which programs turn which files into which others. It knows
// nothing of crawling. It is a TOML file; the manager runs it.
//
//	flow  = 1
//	dir   = "crawl"
//	seeds = { words = "words.txt" }
//
//	[stage.sort]
//	in    = "words"
//	out   = "sorted"
//	shell = "sort -u {in} > {sorted}"
//
// # The model
//
// A queue is a folder of batch files of one kind. A batch is one file in it. A
// stage is a program. The manager starts a stage whenever a batch waits in one
// of its input queues; the run reads batches and writes new ones, and commits
// or leaves no trace. The same queue in one stage's out and another's in is an
// edge of the flow; there are no other edges. The flow may have cycles.
// The crawl is done when nothing runs and no batch waits.
//
// A queue exists when a stage names it in its in or out. It needs a [queue.NAME]
// table only for settings that differ from the defaults.
//
// Two stages may read one queue: each gets every batch. A batch is removed when
// all readers are done with it. A queue that no stage reads is a product of the
// crawl: its batches stay. So do those of a queue with keep = true.
// A reader that joins the script later gets the batches that are still there.
//
// A state is what a stage remembers from run to run, such as the set of URLs seen.
// It is a set of files, called segments, which never change. A run gets the
// committed segments and may add one, which may replace the newest few (replaces,
// in the report). The new segment is committed together with the outputs of the run.
//
// # Values
//
//	name      a small letter, then up to 31 small letters, digits or _
//	string    "…" with escapes, '…' without; """…""" and '''…''' over several lines
//	duration  a string of numbers with ms s m h d, as in "30m", "1h30m", "2d"
//	size      a string of a number and B kB MB GB TB (powers of 1000; KB is kB)
//	          or KiB MiB GiB TiB (powers of 1024), as in "5GB", "1.5 GiB"
//	rate      a size and /s, as in "600KB/s"
//	amount    an integer, for batches, or a size
//	window    days, hours, or days and hours: "sat,sun", "22:00-06:00",
//	          "mon-fri 08:00-18:00"; hours over midnight belong to the day they
//	          begin on; by the wall clock of the machine's time zone
//	names     a name, or a list of names
//	path      a string; relative to the script's folder unless it begins with /
//
// In durations, sizes, rates and the paths of dir, seeds and read, {NAME} stands for a
// constant of vars, and {{ and }} for braces. In a path the constant must be a
// name: a letter or digit, then up to 63 letters, digits, dots, _ and -.
//
// Durations, sizes and rates need a unit. Keys are case-sensitive. No string may be
// empty, except a constant of vars.
//
// # The top of the script
//
// These keys stand above the first [table].
//
//	flow      integer  required; the version of the language, 1
//	dir       path     required; the folder that the crawl owns and writes to. It
//	                   is made when missing; the script must not lie in it
//	seeds     table    queue = path or list of paths; the files enter the queue
//	                   when the crawl first runs, once for each queue and content
//	vars      table    name = string; constants for command lines, as {name}
//
// The command line of the manager may give a constant another value, so one script
// may describe many crawls. With
//
//	dir = "crawl/{node}"
//	[vars]
//	node = ""
//
// manager run -var node=arts SCRIPT crawls in crawl/arts. Without a value the script is
// refused, because a constant in a path must not be empty. The value replaces that in the
// text of the script, and the crawl keeps this text. -var node takes the value of the
// environment variable node. Then the value is not in the command line of the manager, but
// it is in history/, and in the log and the command lines of stages wherever {node} stands.
// A secret is no constant; see env below.
//
// # [limit]
//
//	jobs      integer  processes of stages at once, 1 to 1000; default: the
//	                   number of CPUs
//	bandwidth rate     no default; handed to stages as {bandwidth}. The manager
//	                   moves no bytes: the stage keeps to it
//	idle      window or list of windows; default none; inside them no stage is
//	                   started, and those that run may finish. Windows that
//	                   cover the week are refused
//	disk      size     default 64 MiB; with less free below dir no stage is started
//	history   size     default 1 GiB; when the sealed logs in history/ take more, the
//	                   oldest are removed. Only log and show read them
//
// # [stop]
//
// The crawl ends when nothing is left to do. These end it earlier, or never.
//
//	never     boolean  default false; true: when nothing is left to do, the
//	                   manager waits for batches from outside
//	time      duration default none; of one run of the manager
//	records   table    queue = integer; records ever committed to the queue
//	bytes     table    queue = size; bytes ever committed to the queue
//
// # [queue.NAME]
//
// NAME is the queue's folder below dir. Reserved are work, state, log, history,
// inbox, secret, failed, run, stderr, tmp, and the placeholders in, report,
// bandwidth and tx.
//
//	ext       string   default "zst"; the extension of its batches, without the
//	                   first dot, as "warc.gz": small letters, digits and dots
//	                   between them, 16 at most. It is a name: nothing is compressed by
//	                   it, and manager run says where the content is another
//	keep      boolean  default false; true: batches stay when all readers are done.
//	                   When keep is removed, they stay until manager drop
//	export    boolean  default false; true: batches are for other machines, which
//	                   may read and remove them; no stage reads the queue. A stage
//	                   may put them into folders of it, one for each machine. When
//	                   export is added later, the batches in the queue are exported,
//	                   too. When it is removed, exported batches are not taken back:
//	                   manager add reads them in again
//	full      amount   default none; while this much waits, the stages that write
//	                   the queue are not started. Batches due later do not count. A
//	                   run that began with room may overshoot
//	verify    string or list of strings; the command line that verifies batches of
//	                   the queue; see below
//
// A queue's writers wait for its readers. Where every queue of a cycle has full,
// all can wait for each other for ever; one queue of each cycle must have none.
//
// # [stage.NAME]
//
//	was       name     the former name of the stage. It keeps what that stage has read,
//	                   its failures and its figures. Without was, a new name is a new
//	                   stage, which reads all kept batches again; a start refuses that
//	                   until manager forget removes the old name
//	in        names    the queues a run takes batches from, in turns, in order of
//	                   name. Without it the stage is started by the clock (every)
//	out       names    the queues a run may write batches to. Without it the
//	                   stage consumes
//	state     name     what the stage remembers from run to run. One stage writes
//	                   a state, one run at a time
//	read      table    name = path of a file or folder, or name of another stage's
//	                   state; shown to each run and not consumed. A value with a
//	                   slash or a leading dot is a path ("./seen"); else it is a
//	                   state when a stage has one of that name, else a path. A
//	                   file is read anew by each run, so rules may be changed
//	                   while the crawl runs: put the new file in the place of the
//	                   old one by a rename. Earlier decisions are not revised. The
//	                   log has the XXH64 of what each run has read (manager show)
//	take      integer  batches one run takes at most, 1 to 1000; default 1. Fewer
//	                   where their paths come to 100 KiB together, which is what fits
//	                   into one word of a command line
//	min       amount   default none; with less waiting the stage starts only when
//	                   the crawl would stand still otherwise. In batches it is at
//	                   most take
//	jobs      integer  runs of the stage at once, 1 to 1000; default 1; more only
//	                   without state
//	every     duration with in: at most one start in each such period. Without in:
//	                   a start at the beginning and one each period; those missed
//	                   are skipped
//	timeout   duration default none; a run that takes longer is ended and has failed
//	retry     integer  tries of a batch after the first failure, 0 to 1000;
//	                   default 3; then the batch is set aside, until manager retry
//	                   puts it back or manager drop removes it
//	wait      duration default "10s"; before the first retry; it doubles from then
//	                   on, up to an hour
//	env       string or list of strings; variables of the manager's environment that
//	          the program is given; see A run
//	run       string or list of strings; the command line; see below
//	shell     string   text for bash, instead of run
//	verify    string or list of strings; the command line that verifies segments of
//	                   the state; see below
//
// # [service.NAME]
//
// A helper process that is started before the first stage and lives as long as the
// manager's run. It is stopped last, together with all processes that it started and
// that still have MT_SERVICE in their environment. When it dies, the run ends.
//
//	run       as in a stage
//	shell     as in a stage
//	env       as in a stage
//	ready     string   HOST:PORT; stages are started once it answers. Default:
//	                   once the service has printed a line on its stdout
//
// # Command lines
//
// A string run is split into words as a shell does it: at white space; '…' keeps
// all it holds; in "…" a backslash keeps ", \, $ and `; outside quotes a
// backslash keeps the next character. There is no other shell syntax: | > < ; & $
// and ` outside single quotes are errors, so that nobody takes run for a shell;
// * ? ~ and # are plain characters. A list is the words themselves.
//
// The first word is the program, in plain text. A name is looked for beside the
// manager, in the script's folder, and on PATH; what has a slash is a path.
//
// A string shell is run as bash -euo pipefail -c TEXT: a failing command fails
// the run, and so does a failing part of a pipe. A grep that finds nothing is one;
// sed -n /…/p and awk are none.
//
// {NAME} in either is a placeholder, inside quotes as well; {{ and }} are
// braces. Words are split first and filled then, so a value is never split.
// In a shell text each value is quoted for bash: there must be no quotes around it.
//
//	{in}         the batch files of this run, by full path; as a word of run it
//	             becomes as many words, and must stand alone
//	{QUEUE}      of a queue in out: the path of the first part of its output.
//	             A run that cuts its output writes parts 00002, 00003 … beside it;
//	             where the queue has export also FOLDER/NAME-T-NNNNN.EXT beside it.
//	             NAME is of letters, digits, dots and _, 64 at most; FOLDER of these
//	             and -, begins with a letter or digit, and has no two dots in a row;
//	             EXT of letters, digits and dots, 16 at most
//	{STATE}      a file that lists the segments of the stage's state, one path a
//	             line, oldest first; it is empty at first
//	{STATE.new}  where the run may write one new segment of it
//	{READ}       of a name in read: the file's path, or the list of the segments
//	             of the other stage's state
//	{VAR}        a constant of vars
//	{report}     where the run may write its report
//	{bandwidth}  the text of bandwidth in [limit], "0" without one
//	{tx}         the number of the run's transaction
//
// A service has vars and {bandwidth}, a verify {in} and vars. Queues, states, vars, names in
// read and the built-in names share one name space over the whole script; only a name in read
// may be that of the state it shows.
//
// # A run
//
// Paths are absolute. The working directory is the script's folder, TMPDIR a
// folder that is removed after the run. The environment has the same values:
//
//	MT_IN         the batch files, one a line
//	MT_OUT_QUEUE  as {QUEUE}; QUEUE as in the script
//	MT_STATE_S    as {S} of the state S; also of a state in read, by its name there
//	MT_NEW_S      as {S.new}
//	MT_REPORT     as {report}
//	MT_TX         as {tx}
//	MT_SECRET     a file with the crawl's secret, 32 hexadecimal digits, for hashes of what
//	              strangers write; also in a verify. One is made when a crawl begins
//
// From the environment of the manager a program gets PATH, HOME, and those variables that
// its stage or service names in env, such as LANG, HTTPS_PROXY, SSH_AUTH_SOCK or
// AWS_SECRET_ACCESS_KEY. A verify of a state gets those of its stage. Put secrets there: the
// value of a constant can be read in the log, in history/, and by every user of the machine
// in the command line of a running program (ps).
//
// An output that is missing or has no bytes makes no batch. (A compressed file always has
// some bytes.) A file with content in an output's folder that is no part of an output fails
// the run.
//
// Exit code 0 commits.
//
// Exit code 75 means try later. No input is charged, and the rest before the next try
// doubles up to an hour. A stage that starts by the clock and still says so after an hour's
// rest does not keep the crawl from its end; the crawl then ends with exit code 1.
//
// Exit code 2 means that the command, or a file of rules that it names, is wrong. No input
// is charged, and the stage rests for five minutes at once. After retry more such failures
// in a row it does not keep the crawl from its end, either. (The 2 of bash is not taken so,
// because any command in it may have ended with 2, nor is a 2 with the trace of a crashed
// Go program, because the runtime of Go ends with 2, too.)
//
// Any other end is a failure of the inputs, unless the manager was told to stop before it or
// at the same time. A failure with several inputs charges none, and each is tried alone.
//
// From the fifth failure in a row on, when not all are of one batch, the stage rests for
// five minutes after each, because the program may be broken. manager retry ends the rest;
// a stage that starts by the clock is then started at once. The crawl does not end while
// the last run of a stage that starts by the clock has failed and retry allows another. A
// changed script counts from the manager's next start.
//
// The report is optional. But if a command names {report}, a run that ends with 0 and leaves
// no report, or an empty one, has failed. The report is text, fields separated by one space;
// in FILE, SEGMENT and TEXT each byte outside 0x21 to 0x7e, and %, is written %XX.
//
//	in N                          records read
//	out FILE RECORDS SIZE XXH64   an output, its records of the input's unit
//	made FILE RECORDS SIZE XXH64  an output of records of another unit; a segment
//	reason NAME N                 input records that went into no output, and why
//	because NAME N EXAMPLE REMEDY N records went no further for this reason, like EXAMPLE
//	count NAME N                  any other figure
//	replaces SEGMENT              the new segment takes the place of this one; the
//	                              newest only, as many as are named
//	later FILE TIME               this output is due at TIME (RFC 3339, UTC)
//	note TEXT                     kept with the transaction
//
// FILE and SEGMENT are paths as the command line had them. SIZE is in bytes, XXH64
// the file's xxHash64 with seed 0 in 16 hex digits, or "-" to have the manager compute
// it; NAME of [a-z0-9-]. The stages of a queue agree on what a record is. in must be the
// number of records that the inputs were committed with, and in = the sum of out + the
// sum of reason.
//
// # A stranger's script
//
// A script can do whatever its user can: it starts any program, with any arguments, as that
// user, and reads any file. Nothing confines its programs. manager check starts only the
// stages that come with the manager, to check their arguments. Read a script before you run
// it, as you would a program. Run one that you do not trust as a user who owns nothing.
//
// # Verifying
//
// manager verify compares every live file with the log: the file must be there and have the
// bytes that were committed. Only a program that knows the format can tell whether they mean
// anything. A verify names such a program. It is split as run is, and must hold {in}, which
// stands for some of the live batches of the queue, or for segments of the stage's state.
// Exit code 0 says that they are whole. A program that has not ended after an hour, or after
// the stage's timeout if that is longer, has failed. A run of the crawl never starts it.
//
//	[queue.archive]
//	verify = "gzip -t {in}"
//
// # What is refused
//
// All errors of a script are reported at once, each with its place, before anything runs;
// only an error in TOML's own syntax, or a flow of another version, hides the others.
// Beside unknown keys, wrong types, values out of range and what the tables above rule out,
// these are errors:
//
//   - a queue in some in that no stage writes and no seeds enter
//   - a [queue.NAME] that no stage names; seeds for a queue that no stage reads
//   - a stage with neither in nor every; take or min without in
//   - a stage that reads its own state; export on a queue that is kept or read
//   - full on a queue that is exported or that no stage reads
//   - both run and shell, or neither; a program that is not found
//   - verify on a queue that is exported, or in a stage without state
//   - a placeholder that means nothing, or a name that means two things
//   - files of seeds and read that are not there
//
// A script has at most 500 stages and 256 kB.
//
// # A crawl
//
// examples/tour/crawl.toml crawls a small web on one machine, and examples/site/site.toml a real
// site. Both say with each setting what it is for. Sixteen crawlers share the script of
// examples/c4.
package script
