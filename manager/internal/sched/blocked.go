package sched

// Blocked reports whether some stage may not start in one environment and may
// in another.
func (t *Table) Blocked(now, then Environment) bool {
	for _, st := range t.stages {
		if !t.mayStart(st, &now, true) && t.mayStart(st, &then, true) {
			return true
		}
	}
	return false
}

// DiskOK reports whether the condition on free disk holds.
func (t *Table) DiskOK(env Environment) bool { return diskFree(t, nil, &env).OK }
