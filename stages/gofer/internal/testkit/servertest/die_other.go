//go:build !linux

package servertest

import "os/exec"

// dieWithUs is of Linux; elsewhere a test that is killed leaves its servers behind.
func dieWithUs(*exec.Cmd) {}
