// Command manager runs a crawl script: it starts the script's stages whenever a batch waits for
// one, and makes every run a transaction. It knows processes, files, queues and transactions, and
// nothing of what is in a batch.
//
//	manager run SCRIPT       run, or take up where it was left
//	manager help             all verbs and the exit codes
//
// Package multitext/script describes the language, multitext/txlog the log and the rule of
// recovery, multitext/manager/internal/workdir the crawl's directory.
//
// # What is promised
//
// In the files each thing happens exactly once. A run of a stage counts whole or not at all: its
// outputs, its state, and that its inputs are read become true with one line of the log. After any
// of the faults below the next start goes on, and at the end every product holds the same URLs and
// bodies as without the fault. Only what depends on the order may differ: depth and via of a URL,
// and which of several equal pages is kept. At every instant every file in a queue's directory is
// whole and committed; it may be read, copied or, where the queue is exported, removed.
//
// On the wire each thing happens at least once: a run that is rolled back requests its pages again.
// It is as polite as any other, because a run of fetch takes every host as just visited.
//
// Durability is the manager's alone. Before a commit it syncs each output and the directories above
// it. A stage syncs only what it puts elsewhere.
//
// These are the faults, and the tests that make and count them. The tests named "See" prove that
// they detect defects in the manager, which stand as comments //failpoint: beside the code that
// they break (go doc multitext/txlog/crash/failpoint).
//
//	The manager, a stage or all are killed at any instant, recovery included. What is still running
//	    is ended before anything changes. TestKilledBeforeEveryChange, TestKilledAtAnyInstant,
//	    TestKilledAtBirth, TestKilledAtRandom, TestTourKilled, TestSoak; TestKillsSeeDefects,
//	    TestKillsSeeHastyDrop, TestKillsSeeLateSecret, TestOrphansSeeDefects
//	Power is cut; what was not synced is lost or torn. TestPowerCuts, TestAddSurvivesPowerCuts,
//	    TestPowerCutOnDisk; TestPowerCutsSeeDefects, TestPowerCutOnDiskSeesDefects
//	A system call fails, once or for good. The run or request is made again, or the manager ends
//	    with exit code 6. A file that cannot be looked at is not taken for gone. TestEveryCallFails,
//	    TestLogCannotBeWritten, TestEveryCallOfARecoveryFails; TestErrorsSeeDefects
//	The disk fills up. Nothing starts below [limit] disk, no stage is charged, and the crawl goes on
//	    when there is room. TestFullDisk, TestFullToThePage
//	A stage dies, hangs, leaves processes, reports what is not so, or always fails on one batch,
//	    which is set aside. TestSegfaultOnOneBatch, TestTimeout, TestLyingStages
//	A signal reaches every process, as systemd does it; none is charged. TestSignalToEveryProcess
//	A file cannot be removed. It is named, and each start tries again. TestWhatCannotBeRemovedIsLeft
//	The log or a live file is damaged or missing. The start changes nothing and exits with code 5.
//	    TestLegalStates, TestRefusedStates, TestEveryTruncation, TestEveryBitFlip, TestRepair
//	The clock jumps. The log's order is that of its lines; times decide only how long to wait.
//
// go test makes a sample of each. This makes all of them, for hours:
//
//	.ci/rigs
//
// # What is not promised
//
// A stage whose command names no {report} is trusted by its exit code. A change of bytes that
// leaves the size as it was is found by manager verify, not by a start. A log put back from a copy
// is refused if any number shows that it is older (workdir.Behind). A process that left its group
// and gave up both the lock and its environment lives on; it knows no files but those it was shown.
// What a stage does outside its outputs is not undone. Rename must be atomic and sync true, as on
// ext4 with its journal, xfs and btrfs, on disks that do not lie; a start warns of other file
// systems and refuses NFS.
package main
