package main

import (
	"flag"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/verify"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
)

const verifyHelp = `Re-reads every live batch and segment: it must be there, in its place or in the work
directory of a committed transaction, with the size and the hash that the log says.
What differs is named. Files in queues that the log does not know are named as well
and are no error. Exit code 0: all is well; 5: something is damaged.

It takes no lock and changes nothing, so it may run beside a manager at work.`

func verifyVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		c, code, err := m.look(path)
		if err != nil {
			return code, err
		}
		v, err := verified(c)
		if err != nil {
			return codeOf(err), err
		}
		if *asJSON {
			err = printJSON(m.out, v)
		} else {
			m.printVerification(v)
		}
		if err != nil {
			return crawl.ExitBad, err
		}
		return v.code(), nil
	}
}

// A verification is what verify prints.
type verification struct {
	Begun bool `json:"begun"`
	*verify.Result
	Foreign []string `json:"foreign"` // files in queues that the log does not know
}

func verified(c *view.Crawl) (*verification, error) {
	v := &verification{Begun: c.Begun, Result: &verify.Result{Faults: []verify.Fault{}}, Foreign: []string{}}
	if !c.Begun {
		_, err := workdir.Examine(c.Root) // refuses what a start would refuse
		return v, err
	}
	var err error
	if v.Result, err = verify.Files(c.Root, c.State); err != nil {
		return nil, err
	}
	v.Foreign, err = c.Foreign()
	return v, err
}

func (v *verification) code() int {
	if len(v.Faults) > 0 {
		return crawl.ExitDamaged
	}
	return crawl.ExitDone
}

func (m *invocation) printVerification(v *verification) {
	if !v.Begun {
		line(m.out, "nothing to verify: the crawl has not begun")
		return
	}
	for _, f := range v.Faults {
		line(m.out, "%s is damaged: %s", f.File, f.What)
	}
	line(m.out, "%d files with %s are as the log says, %d are not", v.Files, sched.Bytes(v.Bytes), len(v.Faults))
	writeForeign(m.out, v.Foreign)
}
