package main

import (
	"fmt"
	"path"
	"strings"

	"multitext/classify/topics"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// readNodes is hunts for titles; for one chapter of each; and for that chapter by the relevance of the title.
func (l *lab) readNodes() ([]node, error) {
	w, samples, err := l.sections()
	if err != nil {
		return nil, err
	}
	tree, topic, err := chapters(w, samples)
	if err != nil {
		return nil, err
	}
	for i := range samples {
		samples[i].Label = topic[i]
	}
	g, err := learn(samples, tree, l.options())
	if err != nil {
		return nil, err
	}
	return l.nodesBy(w, g, topic)
}

// nodesBy is these hunts by a guide; topic is that of each page.
func (l *lab) nodesBy(w *web.Web, g *guide, topic []string) ([]node, error) {
	var fields [3]*field
	for i := range fields {
		fields[i] = &field{name: "law16, nodes", batch: l.Law16.Batch}
	}
	titles := w.Labels()
	for n := 0; len(fields[0].hunts) < l.Law16.Draws && n < len(titles)*l.Law16.Draws; n++ {
		title := titles[n%len(titles)]
		seeds := l.citing(n, w, func(p *web.Page) bool { return p.Label == title })
		h, err := l.newHunt(n, w, g, title, seeds[:min(l.Law16.Seeds, len(seeds))])
		if err != nil {
			return nil, err
		}
		chapter := l.chapterOf(h, topic, title)
		if chapter == "" {
			continue
		}
		wanted := make([]bool, len(topic))
		for i := range topic {
			wanted[i] = topic[i] == chapter
		}
		good, _ := g.tree.Find(chapter)
		fields[0].hunts = append(fields[0].hunts, h)
		fields[1].hunts = append(fields[1].hunts, l.hunting(n, w, wanted, g.relevance(good), g.within(good), h.seeds))
		fields[2].hunts = append(fields[2].hunts, l.hunting(n, w, wanted, h.r, h.within, h.seeds))
	}
	if n := len(fields[0].hunts); n < l.Law16.Draws {
		return nil, fmt.Errorf("only %d hunts have a chapter of which %d sections can be reached", n, l.Law16.Least)
	}
	return []node{{"title, title", fields[0]}, {"chapter, chapter", fields[1]}, {"title, chapter", fields[2]}}, nil
}

// chapters is the tree of titles and the chapters below, and the topic of each section: its chapter, or its
// title where not all folds have sections of the chapter to learn from.
func chapters(w *web.Web, samples []sets.Sample) (*topics.Tree, []string, error) {
	folds, parents, of := map[string]map[string]bool{}, map[string]string{}, make([]string, len(samples))
	for i := range samples {
		p := &w.Pages[i]
		of[i] = p.Label + "/" + path.Base(p.Group)
		if folds[of[i]] == nil {
			folds[of[i]] = map[string]bool{}
		}
		folds[of[i]][samples[i].Fold] = true
	}
	for i := range samples {
		title := w.Pages[i].Label
		if parents[title] = ""; len(folds[of[i]]) < len(foldsOf(samples)) {
			of[i] = title
		} else {
			parents[of[i]] = title
		}
	}
	tree, err := topics.New(parents)
	return tree, of, err
}

// chapterOf is the chapter of the title of which most sections can be reached; "" if they are not enough.
func (l *lab) chapterOf(h *hunt, topic []string, title string) string {
	count := map[string]int{}
	for page, links := range distances(h.Web, h.seeds) {
		if links >= 0 && strings.HasPrefix(topic[page], title+"/") {
			count[topic[page]]++
		}
	}
	most := ""
	for chapter, n := range count {
		if n >= l.Law16.Least && (n > count[most] || n == count[most] && chapter < most) {
			most = chapter
		}
	}
	return most
}
