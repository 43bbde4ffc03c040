//go:build !crash

package main

import "multitext/txlog"

// newDisk returns the Disk through which the manager changes a crawl's directory. Tests build with
// the tag crash, which replaces it by a Disk that fails or records calls (disk_crash.go).
func newDisk() txlog.Disk { return txlog.OS{} }
