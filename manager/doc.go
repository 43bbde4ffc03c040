// Command manager runs a crawl script. It starts a stage when a batch waits for it, and makes every
// run a transaction. It handles processes, files, queues and transactions. It does not interpret
// the content of batches.
//
//	manager run SCRIPT       run a crawl, or continue it
//	manager help             print all verbs and the exit codes
//
// See also packages multitext/script (the language), multitext/txlog (the log and recovery) and
// multitext/manager/internal/workdir (the crawl's directory).
//
// # What is promised
//
// The files contain each result exactly once. A run of a stage commits as a whole or not at all.
// One line of the log commits its outputs, its state, and the fact that its inputs were read. After
// any of the faults below the next start continues the crawl. At the end every product contains the
// same URLs and bodies as without the fault. Only data that depends on the order may differ: depth
// and via of a URL, and which of several equal pages is kept. Every file in a queue's directory is
// always complete and committed. Anybody may read it, and delete it if the queue is exported.
//
// The network sees each request at least once: if a run is rolled back, its pages are requested
// again. This is as polite as any run: fetch pauses before its first request to a host, too.
//
// Only the manager is responsible for durability. Before a commit it syncs each output and the
// directories above it. A stage must sync only the files that it writes elsewhere.
//
// This is the list of faults, and of the tests that cause and count them. The tests with See in
// their names prove that the others detect defects in the manager. The defects are comments
// //failpoint: beside the code that they break (go doc multitext/txlog/crash/failpoint).
//
//	The manager, a stage or all are killed at any instant, also in recovery. The next start ends the
//	    processes that still run before it changes anything. TestKilledBeforeEveryChange,
//	    TestKilledAtAnyInstant, TestKilledAtBirth, TestKilledAtRandom, TestTourKilled, TestSoak,
//	    TestTourFrontierKilled; TestKillsSeeDefects, TestKillsSeeHastyDrop, TestKillsSeeLateSecret,
//	    TestOrphansSeeDefects, TestFrontierSeesDefects
//	Power fails; data that was not synced is lost or torn. TestPowerCuts, TestAddSurvivesPowerCuts,
//	    TestPowerCutOnDisk; TestPowerCutsSeeDefects, TestPowerCutOnDiskSeesDefects
//	A system call fails, once or always. The run or request is repeated, or the manager exits with
//	    code 6. If stat fails, a file does not count as missing. TestEveryCallFails,
//	    TestLogCannotBeWritten, TestEveryCallOfARecoveryFails; TestErrorsSeeDefects
//	The disk fills up. Nothing starts below [limit] disk, and this counts as no failure of a stage.
//	    The crawl continues when there is room. TestFullDisk, TestFullToThePage
//	A stage dies, hangs, leaves processes, writes a false report, or always fails on one batch; the
//	    batch is then set aside. TestSegfaultOnOneBatch, TestTimeout, TestLyingStages
//	Every process gets a signal, as from systemd. It counts as no failure. TestSignalToEveryProcess
//	A file cannot be deleted. Each start names it and retries. TestWhatCannotBeRemovedIsLeft
//	The log or a live file is damaged or missing. The start changes nothing and exits with code 5.
//	    TestLegalStates, TestRefusedStates, TestEveryTruncation, TestEveryBitFlip, TestRepair
//	The clock jumps. The order of log lines is what counts; times decide only how long to wait.
//
// go test runs a sample of each. The command .ci/rigs runs all of them, for hours.
//
// # What is not promised
//
// If the command of a stage names no {report}, the manager trusts its exit code. manager verify
// finds changed bytes in a file of the same size; a start does not. A start refuses an older copy
// of the log only if some number shows that it is older (workdir.Behind). A process that leaves its
// process group and gives up both the lock and its environment keeps running, but it knows only the
// files that it was shown. The manager undoes nothing that a stage does outside its outputs. Rename
// must be atomic and sync durable, as on ext4 with its journal, xfs and btrfs, on disks that do not
// lie. A start warns about other file systems and refuses NFS.
package main
