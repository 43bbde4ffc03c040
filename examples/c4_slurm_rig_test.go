package examples

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurm is a Slurm of its own, in one folder and on the loopback device: a controller and six
// machines, two in each partition. A machine is a slurmd with processes and mounts of its own, and
// all that runs on it ends with it.
type slurm struct {
	t        *testing.T
	dir      string
	local    string // where each machine has a disk of its own, which the others do not see
	machines map[string]*exec.Cmd
}

const slurmConf = `ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=%[2]s
SlurmUser=root
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=1
MailProg=/bin/true
MpiDefault=none
StateSaveLocation=%[1]s
SlurmdSpoolDir=%[1]s/%%n
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/%%n.pid
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
PartitionName=shared Nodes=m0,m1 Default=YES
PartitionName=disks Nodes=d0,d1
PartitionName=stages Nodes=s0,s1
`

var slurmMachines = []string{"m0", "m1", "d0", "d1", "s0", "s1"}

// startSlurm starts it; the folder local is another disk on each machine.
func startSlurm(t *testing.T, local string) *slurm {
	t.Helper()
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "unshare"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no Slurm to try it on: %v: apt-get install slurm-wlm munge", err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("a Slurm whose machines have each a disk of its own wants root")
	}
	s := &slurm{t: t, dir: t.TempDir(), local: local, machines: map[string]*exec.Cmd{}}
	port := func() string { _, p, _ := net.SplitHostPort(freeAddress(t)); return p }
	conf := fmt.Sprintf(slurmConf, s.dir, port())
	for _, name := range slurmMachines {
		conf += fmt.Sprintf("NodeName=%s NodeAddr=127.0.0.1 NodeHostname=localhost Port=%s CPUs=16 RealMemory=16000\n",
			name, port())
	}
	s.write("slurm.conf", conf)
	s.write("munge.key", strings.Repeat("not a secret, ", 10))
	s.start("munged", "--foreground", "--force", "--key-file="+s.path("munge.key"), "--socket="+s.path("munge.socket"),
		"--pid-file="+s.path("munge.pid"), "--log-file="+s.path("munge.log"), "--seed-file="+s.path("munge.seed"))
	s.until("munged answers", func() bool { _, err := os.Stat(s.path("munge.socket")); return err == nil })
	s.start("slurmctld", "-D")
	for _, name := range slurmMachines {
		s.boot(name)
	}
	s.until("all machines are idle", func() bool {
		return strings.Count(s.ask("sinfo", "-h", "-N", "-t", "idle"), "\n") == len(slurmMachines)
	})
	return s
}

// boot starts a machine.
func (s *slurm) boot(name string) {
	s.t.Helper()
	for _, dir := range []string{s.disk(name), s.local} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			s.t.Fatal(err)
		}
	}
	s.machines[name] = s.start("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
		"bash", "-c", `mount --bind "$0" "$1" && exec slurmd -D -N "$2"`, s.disk(name), s.local, name)
}

// breakDown ends a machine and all that runs on it at once, and tells the controller, who would
// take minutes to notice.
func (s *slurm) breakDown(name string) {
	s.machines[name].Process.Kill()
	s.machines[name].Wait()
	s.ask("scontrol", "update", "NodeName="+name, "State=DOWN", "Reason=test")
}

func (s *slurm) disk(machine string) string { return s.path("disk-" + machine) }
func (s *slurm) path(name string) string    { return filepath.Join(s.dir, name) }

func (s *slurm) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o400); err != nil {
		s.t.Fatal(err)
	}
}

// command prepares a call that finds this Slurm.
func (s *slurm) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+s.path("slurm.conf"))
	return cmd
}

// start starts a daemon, which ends with the test.
func (s *slurm) start(program string, args ...string) *exec.Cmd {
	s.t.Helper()
	out, err := os.OpenFile(s.path("daemons"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	cmd := s.command(program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd
}

// ask returns what one of Slurm's programs says.
func (s *slurm) ask(program string, args ...string) string {
	out, err := s.command(program, args...).Output()
	if err != nil {
		return fmt.Sprint(program, ": ", err)
	}
	return string(out)
}

// until waits for what must come to pass within two minutes.
func (s *slurm) until(what string, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			daemons, _ := os.ReadFile(s.path("daemons"))
			s.t.Fatalf("not within two minutes: %s\n%s\n%s\n%s", what, s.ask("squeue", "-a"), s.ask("sinfo"),
				daemons[max(0, len(daemons)-4000):])
		}
	}
}
