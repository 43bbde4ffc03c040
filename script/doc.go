// Package script parses and checks dataflow scripts, and builds the graph that
// they describe. This comment is the reference of the script language.
//
// A script says which programs turn which files into which others. The language
// has nothing specific to crawling. A script is a TOML file; the manager runs it.
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
// stage is a program. The manager starts a stage when a batch waits in one of its
// input queues. The run reads batches and writes new ones. It either commits or
// leaves no trace. A queue connects two stages if it is in the out of one and in the
// in of the other. There are no other connections. The graph may have cycles.
// The crawl is done when nothing runs and no batch waits. A stage without in, which
// the clock starts, runs once more before. If it has a state, or a stage reads what it
// writes, it runs until it writes nothing.
//
// A queue exists if a stage names it in its in or out. It needs a [queue.NAME]
// table only for settings that differ from the defaults.
//
// Two stages may read one queue: each gets every batch. The manager deletes a batch
// when all readers have read it. A queue that no stage reads is a product of the
// crawl: the manager keeps its batches. It also keeps the batches of a queue with
// keep = true. A reader that is added to the script later gets the batches that are
// still there.
//
// A state is what a stage remembers from run to run, such as the set of URLs seen.
// It is a set of files, called segments, which never change. A run gets the
// committed segments and may add one. The new segment may replace the newest few
// (replaces, in the report). It is committed together with the outputs of the run.
//
// # Values
//
//	name      a small letter, then up to 31 small letters, digits or _
//	string    "…" with escapes, '…' without; """…""" and '''…''' over several lines
//	duration  a string of numbers with the units ms s m h d, as in "30m", "1h30m", "2d"
//	size      a string of a number and B kB MB GB TB (powers of 1000; KB equals kB)
//	          or KiB MiB GiB TiB (powers of 1024), as in "5GB", "1.5 GiB"
//	rate      a size and /s, as in "600KB/s"
//	amount    an integer, which counts batches, or a size
//	window    days, hours, or days and hours: "sat,sun", "22:00-06:00",
//	          "mon-fri 08:00-18:00". Hours across midnight belong to the day on which
//	          they begin. The manager uses the time zone of the machine
//	names     a name, or a list of names
//	path      a string; relative to the script's folder unless it begins with /
//
// In durations, sizes, rates and the paths of dir, seeds and read, {NAME} stands for a
// constant of vars, and {{ and }} stand for braces. The value of a constant in a path must
// begin with a letter or digit, followed by up to 63 letters, digits, dots, _ and -.
//
// Durations, sizes and rates need a unit. Keys are case-sensitive. No string may be
// empty, except a constant of vars.
//
// # The top of the script
//
// These keys stand before the first [table].
//
//	flow      integer  required; the version of the language, 1
//	dir       path     required; the folder that the crawl owns and writes to. The
//	                   manager creates it if it is missing. The script must not be in it
//	seeds     table    queue = path or list of paths; the manager adds the files to the
//	                   queue when the crawl first runs, once for each queue and content
//	vars      table    name = string; constants for command lines, used as {name}
//
// The command line of the manager may replace the value of a constant, so one script
// can describe many crawls. With
//
//	dir = "crawl/{node}"
//	[vars]
//	node = ""
//
// manager run -var node=arts SCRIPT crawls in crawl/arts. Without -var the manager rejects
// this script, because a constant in a path must not be empty. The manager inserts the value
// into the text of the script, and stores this text with the crawl. -var node without a value
// takes the value of the environment variable node. Then the value is not in the command line
// of the manager. But it is in history/, and in the log and in the command lines of stages
// wherever {node} is used. Do not use a constant for a secret; see env below.
//
// # [limit]
//
//	jobs      integer  the maximum number of stage processes at once, 1 to 1000;
//	                   default: the number of CPUs
//	bandwidth rate     no default; passed to stages as {bandwidth}. The stage must keep
//	                   the limit, because the manager transfers no data
//	idle      window or list of windows; default none; inside a window the manager
//	                   starts no stage. Stages that run already may finish. Windows
//	                   that cover the whole week are an error
//	disk      size     default 64 MiB; the manager starts no stage while the file system
//	                   of dir has less free space
//	history   size     default 1 GiB; the maximum total size of the old log files in
//	                   history/. The manager deletes the oldest above it. Only
//	                   log, show, status and window read these files
//
// # [stop]
//
// The crawl ends when nothing is left to do. These keys make it end earlier, or never.
//
//	never     boolean  default false; true: when nothing is left to do, the
//	                   manager waits for batches from outside
//	time      duration default none; the maximum duration of one run of the manager
//	records   table    queue = integer; the maximum number of records ever committed to
//	                   the queue
//	bytes     table    queue = size; the maximum number of bytes ever committed to the
//	                   queue
//
// # [queue.NAME]
//
// NAME is the queue's folder below dir. These names are reserved: work, state, log, history,
// inbox, secret, failed, run, stderr, tmp, and the placeholders in, report, bandwidth and tx.
//
//	ext       string   default "zst"; the extension of its batches, without the
//	                   first dot, as in "warc.gz": small letters, digits and dots
//	                   between them, 16 at most. The extension does not make the
//	                   manager compress anything. manager run prints a warning if the
//	                   content of a batch does not match its extension
//	keep      boolean  default false; true: the manager keeps batches that all readers
//	                   have read. If you remove keep later, they stay until manager drop
//	export    boolean  default false; true: batches are for other machines, which
//	                   may read and delete them; no stage reads the queue. A stage
//	                   may put them into subfolders, one for each machine. If you add
//	                   export later, the batches in the queue are exported, too. If you
//	                   remove it, exported batches stay exported; manager add can read
//	                   them in again
//	full      amount   default none; while at least this much waits, the manager does not
//	                   start the stages that write the queue. Batches that are not yet
//	                   due do not count. A run that has started may exceed the limit
//	verify    string or list of strings; the command line that verifies batches of
//	                   the queue; see Verifying
//
// The writers of a full queue wait for its readers. If every queue of a cycle has full, all
// stages of the cycle can wait for each other forever. So one queue of each cycle must not
// have full.
//
// # [stage.NAME]
//
//	was       name     the former name of the stage. The stage keeps its failures, its
//	                   statistics, and the record of what it has read. Without was, the
//	                   manager treats a new name as a new stage, which reads all kept
//	                   batches again. It refuses to start in that case until manager
//	                   forget removes the old name
//	in        names    the queues from which a run takes batches. It takes them from the
//	                   queues in turn, and from each queue in order of their names.
//	                   Without in, the clock starts the stage (every)
//	out       names    the queues to which a run may write batches. A stage without out
//	                   only consumes
//	state     name     what the stage remembers from run to run. Only one stage writes
//	                   a state, in one run at a time
//	read      table    name = path of a file or folder, or name of another stage's
//	                   state; each run may read it, and it is not consumed. A value with
//	                   a slash or a leading dot is a path ("./seen"). Any other value is
//	                   a state if a stage has one of that name, else a path. Each run
//	                   reads the file again, so you can change rules while the crawl
//	                   runs: rename the new file over the old one. Earlier decisions
//	                   are not revised. The log records the XXH64 of what each run has
//	                   read (manager show)
//	take      integer  the maximum number of batches of one run, 1 to 1000; default 1. A
//	                   run takes fewer if their paths exceed 100 KiB together, because a
//	                   word of a command line can hold no more
//	min       amount   default none; while less than this waits, the manager starts the
//	                   stage only if nothing else can run, not even by a batch that a
//	                   stage reported as latest. If it counts batches, it must not
//	                   exceed take
//	jobs      integer  the maximum number of runs of the stage at once, 1 to 1000;
//	                   default 1; must be 1 if the stage has a state
//	every     duration with in: the manager starts the stage at most once in each such
//	                   period. Without in: it starts the stage at the beginning and once
//	                   in each period, and skips missed periods
//	timeout   duration default none; the manager ends a run that takes longer; the run
//	                   has then failed
//	retry     integer  the number of tries of a batch after its first failure, 0 to 1000;
//	                   default 3. Then the batch is set aside until manager retry
//	                   puts it back or manager drop removes it
//	wait      duration default "10s"; the wait before the first retry. It doubles with
//	                   each retry, up to an hour
//	env       string or list of strings; the variables of the manager's environment that
//	                   the program gets; see A run
//	run       string or list of strings; the command line; see Command lines
//	shell     string   a text for bash, instead of run
//	verify    string or list of strings; the command line that verifies segments of
//	                   the state; see Verifying
//
// # [service.NAME]
//
// A service is a helper process. The manager starts it before the first stage and stops it
// last. When it stops a service, it also stops all processes that the service started and
// that still have MT_SERVICE in their environment. If a service ends by itself, the manager
// stops the crawl.
//
//	run       as in a stage
//	shell     as in a stage
//	env       as in a stage
//	ready     string   HOST:PORT; the manager starts stages when this address accepts
//	                   connections. Default: when the service has printed a line on stdout,
//	                   which the manager prints, too
//
// For example, this service shows the crawl in a browser; its first line is the address:
//
//	[service.window]
//	run = "window -listen 127.0.0.1:0 crawl.toml"
//
// # Command lines
//
// The manager splits a string run into words as a shell does, at white space. '…' quotes
// every character. In "…" a backslash quotes ", \, $ and `. Outside quotes a backslash
// quotes the next character. No other shell syntax exists: the characters | > < ; & $
// and ` are errors outside single quotes, so that nobody mistakes run for a shell.
// * ? ~ and # are plain characters. If run is a list, its elements are the words.
//
// The first word is the program; it must not contain placeholders. The manager looks for a
// name without a slash in its own folder, in the script's folder, and on PATH. A word with
// a slash is a path.
//
// A string shell is run as bash -euo pipefail -c TEXT. A failing command fails
// the run, and so does a failing part of a pipe. For instance, a grep that finds nothing
// fails the run; sed -n /…/p and awk do not.
//
// {NAME} in run and shell is a placeholder, inside quotes as well. {{ and }} stand for
// braces. The manager splits words before it inserts values, so it never splits a value.
// In a shell text it quotes each value for bash, so write no quotes around a placeholder.
//
//	{in}         the full paths of the batch files of this run. In run it must be a
//	             word of its own, and becomes one word for each file
//	{QUEUE}      for a queue in out: the path of the first part of its output.
//	             A run that writes several parts puts 00002, 00003 … into the same
//	             folder. If the queue has export, it may also write
//	             FOLDER/NAME-T-NNNNN.EXT below that folder. NAME consists of letters,
//	             digits, dots and _, 64 at most. FOLDER may also contain -; it begins
//	             with a letter or digit, and has no two dots in a row. EXT consists of
//	             letters, digits and dots, 16 at most
//	{STATE}      a file that lists the segments of the stage's state, one path a
//	             line, oldest first; it is empty at first
//	{STATE.new}  the path where the run may write one new segment of the state
//	{READ}       for a name in read: the path of the file, or the list of the segments
//	             of the other stage's state
//	{VAR}        a constant of vars
//	{report}     the path where the run may write its report
//	{bandwidth}  the value of bandwidth in [limit], as written; "0" if there is none
//	{tx}         the number of the run's transaction
//
// A service may use vars and {bandwidth}. A verify may use {in} and vars. Queues, states,
// vars, names in read and the built-in placeholders share one name space over the whole
// script. The only exception: a name in read may equal the name of the state that it refers
// to.
//
// # A run
//
// All paths are absolute. The working directory is the script's folder. TMPDIR is a
// folder that the manager deletes after the run. The environment contains the same values:
//
//	MT_IN         the batch files, one a line
//	MT_OUT_QUEUE  the value of {QUEUE}; QUEUE is spelled as in the script
//	MT_STATE_S    the value of {S} for the state S; also for a state in read, by its name
//	              there
//	MT_NEW_S      the value of {S.new}
//	MT_REPORT     the value of {report}
//	MT_TX         the value of {tx}
//	MT_SECRET     a file with the crawl's secret, 32 hexadecimal digits, for hashing
//	              untrusted input; a verify gets it, too. The manager creates the secret
//	              when a crawl begins
//
// From the environment of the manager a program gets PATH, HOME, and the variables that
// its stage or service names in env, such as LANG, HTTPS_PROXY, SSH_AUTH_SOCK or
// AWS_SECRET_ACCESS_KEY. A verify of a state gets those of its stage. Pass secrets in this
// way. The value of a constant is visible in the log and in history/. While a program runs,
// every user of the machine can see the value in its command line (ps).
//
// An output makes no batch if it is missing or has no bytes. (A compressed file always has
// some bytes.) The run fails if the folder of an output contains another file with content.
//
// Exit code 0 commits.
//
// Exit code 75 means try later. It counts as a failure of no input. The wait before the next
// try doubles up to an hour. If a stage that the clock starts exits with 75 even after a wait
// of an hour, the crawl may end without it; the manager then exits with code 1.
//
// Exit code 2 means that the command, or a file of rules that it names, is wrong. It counts
// as a failure of no input, and the stage rests for five minutes. After retry more such
// failures in a row the crawl may end without the stage. (Exit code 2 of bash counts as an
// ordinary failure, because any command in the text may have caused it. So does exit code 2
// with the stack trace of a crashed Go program, because the Go runtime also exits with 2.)
//
// Any other exit code or signal is a failure of the inputs, unless the manager was told to
// stop before it or at the same time. If a run with several inputs fails, the failure counts
// against none of them, and each is tried alone.
//
// After five failures in a row the stage rests for five minutes, and again after each
// further failure, because the program may be broken. Consecutive failures of one batch
// count as one. manager retry ends the rest; a stage that the clock starts then starts at
// once. If the last run of a stage that the clock starts has failed and retry allows another
// try, the crawl does not end before that try. If you change the script, the change takes
// effect when the manager next starts.
//
// The report is optional. But if a command names {report}, a run that exits with 0 and
// writes no report, or an empty one, has failed. The report is text. One space separates
// fields. In FILE, SEGMENT and TEXT, % and each byte outside 0x21 to 0x7e are written %XX.
//
//	in N                          records read
//	out FILE RECORDS SIZE XXH64   an output whose records have the unit of the input's
//	made FILE RECORDS SIZE XXH64  an output whose records have another unit; a segment
//	reason NAME N                 input records that went into no output, and why
//	because NAME N EXAMPLE REMEDY N records were dropped for this reason, such as EXAMPLE
//	count NAME N                  any other number; manager status prints the sum over all runs
//	gauge NAME N                  a number as it is after the run, such as the size of a
//	                              state; manager status prints the last
//	replaces SEGMENT              the new segment replaces this one. A run may replace
//	                              only the newest segments
//	later FILE TIME               this output is due at TIME (RFC 3339, UTC)
//	latest FILE TIME              the same, or sooner: as soon as nothing runs and nothing
//	                              else can start with its min
//	note TEXT                     stored with the transaction
//
// FILE and SEGMENT are paths as in the command line. SIZE is in bytes. XXH64 is the
// file's xxHash64 with seed 0 in 16 hex digits; if it is "-", the manager computes it.
// NAME consists of [a-z0-9-]. All stages of a queue must agree on what a record is. in must
// be the number of records with which the inputs were committed. in must also equal the sum
// of out plus the sum of reason.
//
// # A stranger's script
//
// A script can do whatever its user can do: it starts any program, with any arguments, as
// that user, and reads any file. Nothing confines its programs. manager check starts only
// the stages that come with the manager, to check their arguments. Read a script before you
// run it, as you would read a program. If you do not trust a script, run it as a user who
// owns nothing.
//
// # Verifying
//
// manager verify compares every live file with the log. The file must exist and contain the
// bytes that were committed. But only a program that knows the format can tell whether the
// bytes are valid. The key verify names such a program. The manager splits it like run. It
// must contain {in}, which stands for some of the live batches of the queue, or for segments
// of the stage's state. Exit code 0 means that the files are valid. The program fails if it
// has not ended after an hour, or after the stage's timeout if that is longer. manager run
// never starts it.
//
//	[queue.archive]
//	verify = "gzip -t {in}"
//
// # What is refused
//
// The manager reports all errors of a script at once, each with its position, before it
// starts anything. Only an error in TOML's own syntax, or a flow of another version, hides
// the others. Unknown keys, wrong types, values out of range and violations of the tables
// above are errors. So are these:
//
//   - a queue in some in that no stage writes and that has no seeds
//   - a [queue.NAME] that no stage names; seeds for a queue that no stage reads
//   - a stage with neither in nor every; take or min without in
//   - a stage that reads its own state; export on a queue that is kept or read
//   - full on a queue that is exported or that no stage reads
//   - both run and shell, or neither; a program that cannot be found
//   - verify on a queue that is exported, or in a stage without state
//   - a placeholder that means nothing, or a name that means two things
//   - missing files of seeds and read
//
// A script has at most 500 stages and 256 kB.
//
// # A crawl
//
// examples/tour/crawl.toml crawls a small web on one machine, and examples/site/site.toml a
// real site. Both explain each of their settings. Sixteen crawlers share the script of
// examples/c4.
package script
