//go:build crash

package main

import (
	"multitext/txlog"
	"multitext/txlog/crash"
)

func newDisk() txlog.Disk { return crash.FromEnv() }
