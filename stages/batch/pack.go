package main

// packing is a way to cut records into parts: parts of size records each, in which a host
// has no more than its share.
type packing struct {
	parts, size int
	urls        int // parts that -urls alone would make
}

// plan returns the packing of n records, of which the largest host has largest; a bound of 0 is
// none. More parts than most it never makes, whatever the bounds.
func plan(n, largest, urls, perHost, most int) packing {
	p := packing{parts: 1}
	if urls > 0 {
		p.parts = ceil(n, urls)
	}
	p.urls = p.parts
	if perHost > 0 {
		p.parts = max(p.parts, ceil(largest, perHost))
	}
	p.parts = min(p.parts, most)
	p.size = ceil(n, p.parts)
	return p
}

func ceil(n, by int) int { return (n + by - 1) / by }

// pack cuts records into parts. A record is given by its number; host tells the host of each,
// counts how many records of each host are among them.
//
// Hosts above their share are dealt first: ⌊n/parts⌋ records to each part, and the remainder
// to one part after the other, going on where the last host's remainder ended. So what
// is dealt differs by at most one between parts, and cannot exceed size. All others
// fill the rest of the parts in order.
func pack(records, host []int32, counts []int, urls, perHost, most int) ([][]int32, packing) {
	largest := 0
	for _, n := range counts {
		largest = max(largest, n)
	}
	p := plan(len(records), largest, urls, perHost, most)
	parts := make([][]int32, p.parts)
	dealt, room := deal(records, host, counts, perHost, p)
	first := 0 // part with room
	for _, rec := range records {
		if d := dealt[host[rec]]; d != nil {
			at := d.next(p.parts)
			parts[at] = append(parts[at], rec)
			continue
		}
		for room[first] == 0 {
			first++
		}
		room[first]--
		parts[first] = append(parts[first], rec)
	}
	return parts, p
}

// hand is how the records of one host are dealt over the parts, in order: each gets base,
// and extra of them, from part start on and round the end, one more.
type hand struct {
	base, extra, start int
	part, given        int // parts before part are served; it was given so many
}

// deal makes a hand for every host above its share, in order of appearance. It returns the hands,
// nil for other hosts, and what room they leave in each part. There may be as many hosts as parts,
// so it goes over the parts once for all of them.
func deal(records, host []int32, counts []int, perHost int, p packing) ([]*hand, []int) {
	dealt := make([]*hand, len(counts))
	start, left := 0, p.size     // left: what those with a base leave in every part
	more := make([]int, p.parts) // parts that begin or end to have extras, less those before
	for _, rec := range records {
		h := host[rec]
		if perHost == 0 || counts[h] <= perHost || dealt[h] != nil {
			continue
		}
		d := &hand{base: counts[h] / p.parts, extra: counts[h] % p.parts, start: start}
		left -= d.base
		end := start + d.extra
		more[start]++
		if end >= p.parts { // it goes on from the first part
			end -= p.parts
			more[0]++
		}
		more[end]--
		start = end
		dealt[h] = d
	}
	room, extras := more, 0
	for i, n := range more {
		extras += n
		room[i] = left - extras
	}
	return dealt, room
}

// of returns how many records part gets.
func (d *hand) of(part, parts int) int {
	if (part-d.start+parts)%parts < d.extra {
		return d.base + 1
	}
	return d.base
}

// next returns the part of the host's next record.
func (d *hand) next(parts int) int {
	for d.given == d.of(d.part, parts) {
		d.part, d.given = d.part+1, 0
		if d.base == 0 && d.of(d.part, parts) == 0 {
			d.part = d.start // behind the parts that get none
		}
	}
	d.given++
	return d.part
}
