package waiting

// startOfRun is what a run of fetch costs besides: some processes are started one behind the other,
// which make its batch and take what it has fetched. In milliseconds.
const startOfRun = 500

// lengthOf returns for how long a batch of at most so many URLs is composed, in milliseconds. Links
// that a run finds are handed out when it is over, and each run has a cost; so the batch has the length
// at which the most URLs are fetched in a time, its cost included (Charnov's marginal value theorem,
// Theoretical Population Biology 9, 1976). A large host among small ones makes it no longer, nor does a
// slow one among fast ones. A batch that is full by fewer URLs of each host is shorter: else some hosts
// would have all of it, and the others have to wait. Better URLs make it longer (whole.go).
func (s *State) lengthOf(plan Plan, urls int) int64 {
	pace, longest := &s.meta.paces[plan.Lane], plan.Longest.Milliseconds()
	best, most := min(s.pause(), longest), 0.0
	for class := 0; ; class++ {
		length := min(endOf(class), longest)
		n := min(pace.within(length, s.pause()), float64(urls))
		if rate := n / float64(length+s.costOf(plan.Lane)); rate > most {
			best, most = length, rate
		}
		if length == longest {
			return best
		}
	}
}

// pause is that between two requests to a host of which no more is known, in milliseconds.
func (s *State) pause() int64 { return max(s.rules.Pause.Milliseconds(), 1) }

// costOfRun is what a run of fetch costs beside the time that it fetches, in milliseconds.
func (s *State) costOfRun() int64 { return startOfRun + s.rules.Pause.Milliseconds() }

// costOf is what a run costs that fetches a batch of a lane, in milliseconds. Slow hosts lose more by it than
// others: what is left of the run behind the last request to each, and the pause at the beginning of the next.
func (s *State) costOf(lane Lane) int64 {
	if lane == Slow {
		return s.costOfRun() + slowPauses*s.rules.Slow.Milliseconds()
	}
	return s.costOfRun()
}

// slowPauses is how many of the shortest pauses of slow hosts a run of theirs costs. It was tried, by a model
// of a web whose hosts differ a thousandfold: with none, the last of them take a quarter longer.
const slowPauses = 4

// early tells whether the next batch of a lane had better be composed later, and when to look again.
func (s *State) early(lane Lane) (until int64, early bool) {
	if lane == Slow {
		return s.overSlow(), s.now < s.overSlow()
	}
	plan := s.plans[lane]
	n := s.meta.paces[lane].within(s.lengthOf(plan, plan.Most), s.pause())
	return s.linked(), s.crumbles(n, float64(plan.Most))
}

// overSlow is when the next batch of slow hosts is wanted: just before the one before it is done. Hosts
// that come in before then are in it, and make no batch of their own.
func (s *State) overSlow() int64 { return s.meta.planned[Slow] - s.costOfRun() }

// crumbles tells whether it is better to wait for the links of the batch that is under way than to hand
// out a batch of n URLs, which a run would do before them: if they are many more, up to most.
func (s *State) crumbles(n, most float64) bool {
	m := &s.meta
	if m.over == s.now {
		m.before = m.entered // what comes back with the visits is no link
	}
	if s.now >= s.linked() || m.over > 0 && m.entered > m.before {
		return false // they are late, or here
	}
	return manyMore*n < min(most, float64(m.handed)*m.growth()/1000-float64(m.entered-m.then))
}

// manyMore is how many times as many links as URLs of a batch are worth waiting for. It was tried: with
// less, crawls without pauses wait; with more, polite ones have small batches.
const manyMore = 4

// linked is when the links of the last batch should be there: some processes behind its end. As long as
// one is under way it is waited for, but not when nothing more can be expected of it.
func (s *State) linked() int64 {
	if s.meta.over == 0 {
		return s.quiet()
	}
	return s.meta.over + 2*s.costOfRun()
}

// growth is how many URLs come in for a thousand that are handed out.
func (m *meta) growth() float64 {
	if m.grown == 0 {
		return 1000
	}
	return float64(m.grown)
}

// handOut notes that a batch of n URLs is handed out, and learns from what came in since the one before:
// from the first at once, for then each URL brings many, and a few URLs of one host would go before these.
func (m *meta) handOut(n int) {
	if m.handed > 0 {
		grown := 1000 * (m.entered - m.then) / m.handed
		if m.grown > 0 {
			grown = (m.grown + grown + 1) / 2
		}
		m.grown = grown
	}
	m.handed, m.then, m.over = uint64(n), m.entered, 0
}
