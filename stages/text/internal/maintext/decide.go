package maintext

const (
	// fewest is the number of words above which a block of few links reads like a main text; fewer
	// do if there is something long behind them.
	fewest = 16
	// Blocks of fewer words than short at either end of a text are dropped, if they are at most
	// fewLines.
	short, fewLines = 10, 8
	// mostLinked is the share of words in links that a block of a main text may have. Blocks above
	// menuLike are links alone. A block behind two of these must be long.
	mostLinked, menuLike = 1.0 / 3, 5.0 / 9
	behindMenu           = 40 // words
)

// decide marks the blocks that are the main text.
func (b *blocks) decide() {
	part := b.part(b.weigh())
	prev, menu := new(block), 0
	for i, k := range part {
		next := new(block)
		if i+1 < len(part) {
			next = part[i+1]
		}
		k.kept = k.fits(prev, next, menu)
		if prev = k; k.linkShare() > menuLike {
			menu++
		} else {
			menu = 0
		}
	}
	dropEnds(part)
	keepHeadings(part)
}

// reads returns the number of words of a block that reads like a main text, else 0.
func (k *block) reads() int {
	if k.words > fewest && k.linkShare() <= mostLinked {
		return k.words
	}
	return 0
}

func (k *block) linkShare() float64 { return float64(k.linked) / float64(max(k.words, 1)) }

// fits reports whether a block is of the main text by its numbers and those of its neighbours (the
// paper, figure 4), and by what was decided about the one in front of it. menu is how many blocks of
// links are in front of it.
func (k *block) fits(prev, next *block, menu int) bool {
	switch {
	case k.linkShare() > mostLinked:
		return false
	case menu > 1:
		return k.words > behindMenu || next.words > fewest+1
	}
	return k.words > fewest || next.words >= fewest || prev.words > 2 || prev.kept ||
		next.words > 2 && prev.linkShare() < mostLinked
}

// dropEnds drops the short blocks before the first and behind the last block that reads like a main
// text.
func dropEnds(part []*block) {
	first, last := 0, len(part)
	for first < last && part[first].reads() == 0 {
		first++
	}
	for last > first && part[last-1].reads() == 0 {
		last--
	}
	dropShort(part[:first])
	dropShort(part[last:])
}

// dropShort drops short blocks, if they are not many: more than fewLines of them are a list.
func dropShort(part []*block) {
	lines := 0
	for _, k := range part {
		if k.kept && !k.heading {
			lines++
		}
	}
	for _, k := range part {
		k.kept = k.kept && (lines > fewLines || k.words >= short)
	}
}

// keepHeadings keeps the headings of what is kept, and no others. What was dropped for being
// short does not count.
func keepHeadings(part []*block) {
	follows := false
	for i := len(part) - 1; i >= 0; i-- {
		if k := part[i]; k.heading {
			k.kept = follows && k.linkShare() < 0.5
		} else if k.kept || k.linkShare() > mostLinked {
			follows = k.kept
		}
	}
}
