package main

import (
	"os"
	"runtime"
)

func main() {
	// A process dies with the thread that started it, so main stays on this thread.
	runtime.LockOSThread()
	m := &invocation{out: os.Stdout, err: os.Stderr, disk: newDisk()}
	os.Exit(m.run(os.Args[1:]))
}
