//go:build !crash

package main

import "multitext/txlog"

// newDisk is how the manager changes a crawl's directory. The tag crash, which only
// tests build with, puts one in its place that fails or records (disk_crash.go).
func newDisk() txlog.Disk { return txlog.OS{} }
