package load

// counts are the requests of an hour: n[0] is that of slot, n[1] that of the slot before, and
// so on.
type counts struct {
	slot int64
	n    [slots]uint32
}

// advance makes slot the latest one, if it is not.
func (c *counts) advance(slot int64) {
	by := slot - c.slot
	if by <= 0 {
		return
	}
	c.slot = slot
	if by >= slots {
		c.n = [slots]uint32{}
		return
	}
	copy(c.n[by:], c.n[:slots-by])
	clear(c.n[:by])
}

// add counts one in slot; one of an earlier slot than the latest is counted in the latest, as
// after a clock was put back.
func (c *counts) add(slot int64) {
	c.advance(slot)
	c.n[0]++
}

func (c *counts) sum() (sum int) {
	for _, n := range c.n {
		sum += int(n)
	}
	return sum
}

// A host is what is known of one.
type host struct {
	counts
	held    int64 // unix seconds; 0 if it is not
	changed bool  // by this run
}

// forgetFuture drops what a clock that was wrong has noted.
func (h *host) forgetFuture(now int64) {
	if h.slot > now+1 {
		*h = host{}
	}
	if h.held > (now+1+slots)*int64(slotLength.Seconds()) {
		h.held = 0
	}
}

// A total is what is known of all hosts together.
type total struct {
	counts
	last counts // hosts by the slot of their last request
}

func (t *total) advance(slot int64) {
	t.counts.advance(slot)
	t.last.advance(slot)
}

// count notes a request, in slot, to a host whose last one was in the slot before.
func (t *total) count(before, slot int64) {
	t.advance(slot)
	t.counts.n[0]++
	if age := t.slot - before; age >= 0 && age < slots && t.last.n[age] > 0 {
		t.last.n[age]--
	}
	t.last.n[0]++
}

// recentHosts is how many hosts are being asked.
func (t *total) recentHosts() (sum int) {
	for _, n := range t.last.n[:recent] {
		sum += int(n)
	}
	return sum
}

func (t *total) forgetFuture(now int64) {
	if t.slot > now+1 {
		*t = total{}
	}
}
