package main

import (
	"os"
	"runtime"
)

func main() {
	// Processes die with the thread that started them, so this one stays.
	runtime.LockOSThread()
	m := &invocation{out: os.Stdout, err: os.Stderr, disk: newDisk()}
	os.Exit(m.run(os.Args[1:]))
}
