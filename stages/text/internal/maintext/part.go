package maintext

// The shares, in percent, of the words that read like a main text: a region with leftOut or more is
// not left out; an element with isPart or more is the part of the page with the main text; an
// ARTICLE in MAIN is with isWithin of the words of that.
const leftOut, isPart, isWithin = 40, 30, 50

// weigh finds out which regions are left out, and returns the number of words on the page that read
// like a main text.
func (b *blocks) weigh() (all int) {
	for i := range b.all {
		n := b.all[i].reads()
		all += n
		if r := b.all[i].region; r >= 0 {
			b.regions[r].words += n
		}
	}
	for i := len(b.regions) - 1; i >= 0; i-- { // a region comes behind the one around it
		if r := &b.regions[i]; r.outer >= 0 {
			b.regions[r.outer].words += r.words
		}
	}
	for i := range b.regions {
		r := &b.regions[i]
		r.left = r.words*100 < all*leftOut // so are the regions in it, which have no more words
	}
	return all
}

// part returns the blocks among which the main text is. all is what weigh returned.
func (b *blocks) part(all int) (part []*block) {
	inMain, inArticle, inBoth := 0, 0, 0
	for i := range b.all {
		k := &b.all[i]
		if k.region >= 0 && b.regions[k.region].left {
			continue
		}
		part = append(part, k)
		n := k.reads()
		if k.main {
			inMain += n
		}
		if k.article {
			inArticle += n
		}
		if k.main && k.article {
			inBoth += n
		}
	}
	onlyMain := inMain > 0 && inMain*100 >= all*isPart
	onlyArticle := inArticle > 0 && inArticle*100 >= all*isPart
	if onlyMain {
		onlyArticle = inBoth > 0 && inBoth*100 >= inMain*isWithin
	}
	kept := part[:0]
	for _, k := range part {
		if (k.main || !onlyMain) && (k.article || !onlyArticle) {
			kept = append(kept, k)
		}
	}
	return kept
}
