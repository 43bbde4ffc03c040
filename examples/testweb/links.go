package main

import "math/rand/v2"

const (
	linksPerPage = 20
	linksAway    = 4 // of these, to other hosts
)

// link is one link of a page: where it leads and how it is written.
type link struct {
	to      address
	element element
	form    form
}

// element is the HTML that carries a link.
type element uint8

const (
	elementA element = iota
	elementArea
	elementFrame
	elementStyle
	elementImage
)

// dice are the random numbers of one page; math/rand/v2 promises that a PCG
// yields the same ones for ever.
type dice struct{ rand.PCG }

func (s shape) dice(host, page int) *dice {
	return &dice{*rand.NewPCG(s.seed, uint64(host)<<32|uint64(page))}
}

// roll is a number below n.
func (d *dice) roll(n int) int { return int(d.Uint64() % uint64(n)) }

// links are those of page i of host, in the order of the page.
func (s shape) links(d *dice, host, i int) []link {
	same := s.specials(host, i)
	for _, child := range []int{2*i + 1, 2*i + 2} {
		if child < s.pages {
			same = append(same, door(host, child))
		}
	}
	away := 0
	if s.hosts > 1 {
		away = linksAway
	}
	for len(same) < linksPerPage-away {
		same = append(same, door(host, d.roll(s.pages)))
	}
	for k := range away {
		same = append(same, s.elsewhere(d, host, i, k))
	}
	d.shuffle(same)

	ls := []link{
		{s.or(address{host, roleAsset, assetCSS, 0}), elementStyle, d.form(i)},
		{s.or(address{host, roleAsset, assetGIF + i%3, 0}), elementImage, d.form(i)},
	}
	for _, to := range same {
		ls = append(ls, link{s.or(to), d.element(), d.form(i)})
	}
	return ls
}

// specials are what page i links beside other pages.
func (s shape) specials(host, i int) []address {
	as := make([]address, 0, linksPerPage)
	if i == 0 {
		as = append(as,
			address{host: host, role: roleIndex},
			address{host: host, role: roleLoop},
			address{host: host, role: roleAsset, n: assetPDF},
			address{host: host, role: roleAsset, n: assetText})
		if m := (address{host: host, role: roleMirror}); s.exists(m) {
			as = append(as, m)
		}
	}
	for _, r := range []role{rolePrint, roleMoved, roleGone, rolePrivate} {
		if a := (address{host: host, role: r, n: i}); s.exists(a) {
			as = append(as, a)
		}
	}
	return as
}

// elsewhere is the k-th link of page i to another host.
func (s shape) elsewhere(d *dice, host, i, k int) address {
	if i == 0 && k == 0 {
		return address{host: (host + 1) % s.hosts, role: rolePage}
	}
	other := (host + 1 + d.roll(s.hosts-1)) % s.hosts
	return door(other, d.roll(s.pages))
}

func (d *dice) shuffle(as []address) {
	for i := len(as) - 1; i > 0; i-- {
		j := d.roll(i + 1)
		as[i], as[j] = as[j], as[i]
	}
}

func (d *dice) element() element {
	switch d.roll(24) {
	case 0:
		return elementArea
	case 1:
		return elementFrame
	}
	return elementA
}

// or is a, or the front page of its host where that misbehaves: more links would teach
// nothing, and take a crawl more time.
func (s shape) or(a address) address {
	if s.faultOf(a.host) != nil {
		return address{host: a.host, role: rolePage}
	}
	return a
}

// moved is where the redirect a leads.
func (s shape) moved(a address) address {
	switch {
	case a.role == roleLoop:
		a.n = 1 - a.n
	case a.step+1 < moves(a.n):
		a.step++
	case a.n%50 == 39:
		return s.or(address{host: (a.host + 1) % s.hosts, role: rolePage, n: a.n})
	default:
		return address{host: a.host, role: rolePage, n: a.n}
	}
	return a
}
