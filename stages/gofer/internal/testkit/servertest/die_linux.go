package servertest

import (
	"os/exec"
	"syscall"
)

// dieWithUs ends the process when that of the test ends, however it does.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
