// Command manager runs a crawl script: it starts the script's stages whenever a
// batch waits for one, and makes every run a transaction. It knows processes,
// files, queues and transactions, and nothing of what is in a batch.
//
//	manager run SCRIPT       run, or take up where it was left
//	manager help             all verbs and the exit codes
//
// The script's language is the comment of package multitext/script, the log's
// format and the rule of recovery that of multitext/txlog, the states of a
// crawl's directory that of multitext/manager/internal/workdir.
//
// # What is promised
//
// In the files each thing happens exactly once. A run of a stage counts whole or
// never was: its outputs, what it remembers, and that its inputs are read, become
// true with one line of the log. After any of the faults below the next start
// goes on, and at the end every product holds the same URLs and the same bodies
// as if nothing had happened: none lost, none twice, nothing left over. What may
// differ is what the order decides: depth and via of a URL, and which of several
// equal pages is the one that is kept.
//
// On the wire each thing happens at least once. A run that is rolled back is made
// again, so its pages are asked for again. It is no less polite for that: a run of
// fetch takes every host as just visited.
//
// At every instant, without any start, every file in a queue's directory is whole
// and committed, and may be read, copied or, where the queue is exported, removed.
//
// Durability is the manager's alone. Before the line of a commit it syncs each output of the run, and
// the directories on the way to it; a stage need sync nothing but what it puts outside of its outputs.
//
// There is no clean end that differs from a crash. A start takes the same way
// after either, and nobody has to ask for it.
//
// # Under which faults
//
//	the manager, a stage or all of them are killed, at any instant, again and
//	    again, the recovery included; what a dead manager leaves running is ended
//	    before anything is changed, and has numbers that are never used again
//	power is cut: what was not synced is lost, files and directory entries alike,
//	    in any order, torn within a write
//	a write, sync, rename, link, removal or start fails, once or for good, with no room,
//	    a bad sector, a quota, or no descriptors left: the run, or the taking of a
//	    request, fails and is made again, or the manager ends with exit code 6, at
//	    once where it was the log's
//	a look or a read fails: no file is taken for gone, and no batch is charged. The start
//	    ends with exit code 6 and has changed nothing; a run or a request is tried again
//	the disk fills up: nothing is started below [limit] disk, stages that find no
//	    room are charged nothing, a request that finds none is tried again, and it goes
//	    on by itself when there is room. A recovery removes no batch before its log is
//	    written, so on a disk without any room it ends with exit code 6 and the crawl is
//	    as it was
//	a stage dies, hangs, leaves processes, exits with 0 and outputs of another size
//	    than it reports, or fails on one batch for ever: that batch is set aside,
//	    not lost and not in the way of others
//	a signal to every process at once, as systemd sends one at a stop: what it ends is
//	    charged to no batch, for what fails then is rolled back as stopped
//	what is to be removed cannot be, as an immutable file or a mount that a stage left
//	    in its work/T, or an answered request: it is named and left lying, and every
//	    start tries again. A mount is not entered
//	the log is damaged, missing or another's, or a live file that a stage is to read is
//	    missing or of another length: the start is refused with exit code 5, and nothing
//	    is changed. manager repair rebuilds a log, manager drop lets go of a lost file
//	the clock jumps: the log's order is that of its lines. Times decide only how
//	    long something waits
//
// # What is not promised
//
// A stage whose command names no {report} is trusted by its exit status: that an
// output was cut short without the stage noticing cannot be seen. manager check
// says which stages these are. Of one that names it no run counts without a report. The
// hash that a report gives is logged as it is; manager verify holds it against the bytes.
//
// Bytes that change while their number stays are found by manager verify, once or
// with -every, and not by a start. So is a stage, running as root, that writes to a file that it was
// only shown.
//
// A log that somebody put back from a copy, or whose end went bad, is refused if a file
// that it calls live is gone, if a queue, a state or failed/ holds a number that it never
// gave out, or history/ a later one. Where none of that is so, the runs that it has lost
// have left nothing, and are made again.
//
// A process that has left its stage's group is ended with the run by its environment,
// which holds MT_REPORT, and one of a service by MT_SERVICE. One that has emptied that
// lives until the next start. After a manager that was killed the next start ends what
// holds the lock, and what shows a run or service of its crawl in its environment. One that
// has given up both lives on; it knows no file that counts, but those that it was shown.
//
// An exported queue is open to other machines, and what one puts in the way is not
// moved: a start finds a file or a link where the folder for its batches was to be, or a
// file under the name of a batch, says so and ends with exit code 6. Nothing is lost, and
// the crawl goes on when it is gone.
//
// What a stage does outside its outputs is not undone. A stage that removes files
// on another machine must do so in a run after the one that has brought them, and
// bear to find them gone; it tells them apart by the epoch of that machine's log
// and their names, which are never used again there.
//
// A rename within one file system is taken for one step that happens whole or not
// at all, a directory to be gone only once all that was in it is, and sync for
// true. That was shown on ext4 with its journal, xfs and btrfs, on disks that do not
// lie. A start looks what it stands on: it warns of ext4 without a journal, where
// most power cuts leave a crawl that is refused with exit code 5 and some lose exported
// batches, of ext2, of memory, of an overlay, and of any other kind of file system. Kills
// are outlived there all the same. NFS is refused.
//
// # How it was tested
//
// Each test counts its faults and fails if they did not happen. Each kind is
// shown defects put into the manager's source, as outputs that are not synced,
// inputs that are removed before the commit, a number used again, or a lock that
// is not handed down, and fails if it does not see them.
//
//	TestKilledBeforeEveryChange  killed before a change of the directory, each in turn
//	TestKilledAtAnyInstant       chains of such kills, recoveries included
//	TestKilledAtBirth            the first start, killed at each of its changes
//	TestKilledAtRandom           a stage, the manager or the whole tree
//	TestPowerCuts                what was not synced is lost, in a model of a strict disk
//	TestPowerCutOnDisk           ext4 and xfs, mounted, shut down without a flush; root
//	TestEveryCallFails           each call, each error, once and for good
//	TestLogCannotBeWritten       the log's own writes and syncs
//	TestStartLooksWhatItStandsOn ext2, ext3, ext4 with and without a journal, xfs; root
//	TestFullToThePage            a disk with room for so many pages; root
//	TestFullDisk                 full, then not; root
//	TestLegalStates              each state of the directory, and those refused
//	TestKillsSeeDefects, TestKillsSeeHastyDrop, TestKillsSeeLateSecret, TestOrphansSeeDefects,
//	TestPowerCutsSeeDefects, TestPowerCutOnDiskSeesDefects, TestErrorsSeeDefects
//
// In package workdir: TestEveryCallOfARecoveryFails. In package crawl:
// TestAddSurvivesPowerCuts, of a request that was left beside a manager.
// In package txlog: TestEveryTruncation, TestEveryBitFlip, TestLinesDoNotMove.
// In examples, with the real stages: TestTourKilled, TestSoak.
//
// # How to test it again
//
// go test ./... makes a sample of each. All of it takes hours on two cores; each
// test says how many faults it made:
//
//	.ci/rigs
//
// It is go test with a flag for each rig, that says how much of it: the flags are
// in the script, and go test ./manager -args -h explains them.
package main
