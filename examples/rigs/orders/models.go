package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// models tells of each model of synthetic webs how near it is to the 41 sites: in what its parameters
// were chosen by, and in what they were not.
func models(l *lab, c *results.Chapter) error {
	sites, err := l.readSites()
	if err != nil {
		return err
	}
	p, err := synthetic.ReadParameters()
	if err != nil {
		return err
	}
	t, measured := modelTable(&p), measure(&p, hosted(sites), l.random("checks"))
	t.Add(measured.row("41 sites", "–", "–")...)
	for _, name := range l.Synthetic.Models {
		w, err := l.grow(&p, name)
		if err != nil {
			return err
		}
		m := measure(&p, w, l.random("checks"))
		t.Add(m.row(name, yes(p.Fitted(m.fit, measured.fit)), yes(p.Passes(m.checks, measured.checks)))...)
	}
	c.Table(t)
	return nil
}

func modelTable(p *synthetic.Parameters) *draw.Table {
	return &draw.Table{Name: "models", Title: "Models of synthetic webs beside the 41 sites",
		Note: fmt.Sprintf("Fitted are the links of a page, the share of the links within a host, and the exponents "+
			"of in- and out-degrees of %d and more; a model is fitted with the first within %g %% of that of the 41 "+
			"sites, the share within %g points and the exponents within %g. No parameter was chosen by the others: "+
			"the share of the links whose target links back, the Gini coefficient of the hosts' sizes, the share of "+
			"the pages reached by breadth that are within three links of a seed (a page of each host), and "+
			"Spearman's rho of in-degree and depth. A model passes with each of these within %g.",
			p.Tail, 100*p.Fit.Links, 100*p.Fit.Within, p.Fit.Exponents, p.Check.Off),
		Columns: strings.Split("web|pages|hosts|links of a page|within %|in|out|fitted|"+
			"links back %|Gini|within three %|rho|passes", "|")}
}

// A measured is what is told of a web.
type measured struct {
	pages, hosts int
	fit          synthetic.Fit
	checks       synthetic.Checks
}

func (m *measured) row(name, fitted, passes string) []string {
	return []string{name, fmt.Sprint(m.pages), fmt.Sprint(m.hosts), draw.Number(m.fit.Links, 1),
		draw.Percent(m.fit.Within), draw.Number(m.fit.In, 2), draw.Number(m.fit.Out, 2), fitted,
		draw.Percent(m.checks.Reciprocity), draw.Number(m.checks.Gini, 2), draw.Percent(m.checks.Near),
		draw.Number(m.checks.Correlation, 2), passes}
}

// hosted is a Web as synthetic webs are measured.
func hosted(w *web.Web) *synthetic.Web {
	number, s := map[string]uint32{}, &synthetic.Web{}
	for i := range w.Pages {
		p := &w.Pages[i]
		host, ok := number[p.Host]
		if !ok {
			host = uint32(len(number))
			number[p.Host] = host
		}
		var links []uint32
		for _, to := range p.Links {
			links = append(links, uint32(to))
		}
		s.Host, s.Links = append(s.Host, host), append(s.Links, links)
	}
	return s
}

func measure(p *synthetic.Parameters, w *synthetic.Web, random *rand.Rand) *measured {
	return &measured{len(w.Host), len(w.OneOfEach(random)), w.Fit(p.Tail), w.Checks(random)}
}

// grow makes the synthetic web of a model, once; it is the same in each draw.
func (l *lab) grow(p *synthetic.Parameters, name string) (*synthetic.Web, error) {
	if w := l.grown[name]; w != nil {
		return w, nil
	}
	m, err := p.Named(name)
	if err != nil {
		return nil, err
	}
	if l.grown == nil {
		l.grown = map[string]*synthetic.Web{}
	}
	l.grown[name] = m.Grow(l.Synthetic.Pages, results.Random(l.Seed, 0, "web of "+name))
	return l.grown[name], nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
