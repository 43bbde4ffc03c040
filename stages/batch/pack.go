package main

// packing says how to cut records: into a number of parts with size records each, in which no host
// has more than its share.
type packing struct {
	parts, size int
	urls        int // number of parts that -urls alone would make
}

// plan returns the packing of n records; the largest host has largest of them. A bound of 0 means
// no bound. plan never makes more parts than most, whatever the bounds.
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

// pack cuts records into parts. Records are numbers. host maps a record to its host; counts maps a
// host to its number of records.
//
// pack deals out the hosts above their share first: ⌊n/parts⌋ records to each part, and one more to
// as many parts as records are left over. These extras start at the part after the previous host's
// last extra. So the numbers of dealt records differ by at most one between parts, and cannot
// exceed size. All other records then fill the parts in order.
func pack(records, host []int32, counts []int, urls, perHost, most int) ([][]int32, packing) {
	largest := 0
	for _, n := range counts {
		largest = max(largest, n)
	}
	p := plan(len(records), largest, urls, perHost, most)
	parts := make([][]int32, p.parts)
	dealt, room := deal(records, host, counts, perHost, p)
	first := 0 // first part that has room
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

// hand says how the records of one host are dealt to the parts, in order. Each part gets base
// records. Starting at part start, and continuing at part 0 after the last one, extra parts get one
// more.
type hand struct {
	base, extra, start int
	part, given        int // the part that receives records now, and how many it has received
}

// deal makes a hand for every host above its share, in order of first appearance. It returns the
// hands, indexed by host (nil for hosts within their share), and the room left in each part. There
// may be as many hosts as parts, so deal computes the room in a single pass over the parts.
func deal(records, host []int32, counts []int, perHost int, p packing) ([]*hand, []int) {
	dealt := make([]*hand, len(counts))
	start, left := 0, p.size     // left: room in every part after the base records
	more := make([]int, p.parts) // change in the number of extras from the part before
	for _, rec := range records {
		h := host[rec]
		if perHost == 0 || counts[h] <= perHost || dealt[h] != nil {
			continue
		}
		d := &hand{base: counts[h] / p.parts, extra: counts[h] % p.parts, start: start}
		left -= d.base
		end := start + d.extra
		more[start]++
		if end >= p.parts { // continue at the first part
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

// of returns the number of records that part gets.
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
			d.part = d.start // the parts before it get none
		}
	}
	d.given++
	return d.part
}
