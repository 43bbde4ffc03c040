package waiting

// startOfRun is what a run of fetch costs besides: some processes are started one behind the other,
// which make its batch and take what it has fetched. In milliseconds.
const startOfRun = 500

// lengthOf returns for how long a batch is composed, in milliseconds, at most longest, and how many
// URLs are fetched in a thousand seconds of it. Links that a run finds are handed out when it is over,
// and each run has a cost; so the batch has the length at which the most URLs are fetched in a time,
// its cost included (Charnov's marginal value theorem, Theoretical Population Biology 9, 1976). That is
// known from how many URLs the hosts have waiting, and from how long they take for one. A large host
// among small ones makes it no longer.
func (s *State) lengthOf(longest int64) (best int64, rate float64) {
	step := max(s.meanStep(), 1)
	for each := int64(1); ; each += (each + 1) / 2 {
		length := min(each*step, longest)
		if r := 1e6 * float64(s.meta.within(uint64(each))) / float64(length+s.costOfRun()); r > rate {
			best, rate = length, r
		}
		if length == longest {
			return max(best, step), rate
		}
	}
}

// costOfRun is what a run of fetch costs beside the time that it fetches, in milliseconds.
func (s *State) costOfRun() int64 { return startOfRun + s.rules.Pause.Milliseconds() }

// crumbles tells whether it is better to wait for the links of the batch that is under way than to
// hand out what is there, at the given rate: a run of little would keep the hosts of the next batch
// waiting. Its links are there some processes behind its end.
func (s *State) crumbles(rate float64) bool {
	return s.now < s.linked() && 2*rate < float64(s.meta.rate)
}

// linked is when the links of the last batch should be there.
func (s *State) linked() int64 { return s.meta.planned[Main] + 2*s.costOfRun() }

// meanStep is how long hosts take for a URL, in milliseconds.
func (s *State) meanStep() int64 {
	if s.meta.step == 0 {
		return s.rules.Pause.Milliseconds()
	}
	return s.meta.step / 1000
}

// within is how many URLs wait if of each host at most each are counted, about.
func (m *meta) within(each uint64) (n uint64) {
	for class, hosts := range m.hosts {
		n += hosts * min(3<<class>>2, each) // 3/4 of the most that a host of the class has
	}
	return n
}

// learnStep takes in how long a host takes for a URL, in milliseconds. One that is slow beyond all
// others counts for no more than four of them.
func (s *State) learnStep(ms int64) {
	mean := s.meta.step
	if mean == 0 {
		s.meta.step = 1000 * ms
		return
	}
	s.meta.step += (min(1000*ms, 4*mean) - mean) / 64
}
