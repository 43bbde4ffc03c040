package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// accuracy tries every classifier on every labelled set (thesis 4.3.1), the linear one being the
// baseline of today.
func accuracy(l *lab, c *results.Chapter) error {
	trials, err := l.trials()
	if err != nil {
		return err
	}
	methods, err := l.methods()
	if err != nil {
		return err
	}
	all := &draw.Table{Name: "accuracy", Title: "Accuracy on documents not trained on",
		Note: "Right: documents given their label; of all: their share. Mean, variance and least: of the categories' " +
			"accuracies, as the thesis prints them. Majority: the share of the most frequent label. Off by: by how " +
			"much the confidence errs, in the mean (expected calibration error).",
		Columns: strings.Split("set|method|documents|right|of all %|mean %|variance|least %|macro F1|majority %|off "+
			"by %", "|")}
	var each []*draw.Table
	for _, t := range trials {
		table := &draw.Table{Name: "accuracy-" + strings.NewReplacer(" ", "-", ",", "").Replace(t.name),
			Title: "Accuracy by category, in %: " + t.name}
		for _, m := range methods {
			j, err := l.judge(t, m)
			if err != nil {
				return err
			}
			table.Columns = []string{"method"}
			row := []string{m.name}
			for _, label := range j.Labels() {
				table.Columns, row = append(table.Columns, label), append(row, draw.Percent(j.Accuracy(label)))
			}
			table.Add(row...)
			all.Add(summary(t.name, m.name, j)...)
		}
		each = append(each, table)
		if len(t.Folds()) == 1 {
			j, err := l.judge(t.permuted(l.random("permuted")), methods[0])
			if err != nil {
				return err
			}
			all.Add(summary(t.name, methods[0].name+", trained on permuted labels", j)...)
		}
	}
	c.Table(all)
	for _, t := range each {
		c.Table(t)
	}
	return nil
}

func summary(set, method string, j *judgement) []string {
	s, least := j.Summary(), 1.
	for _, label := range j.Labels() {
		least = min(least, j.Accuracy(label))
	}
	return []string{set, method, fmt.Sprint(s.Documents), draw.Number(s.Overall*float64(s.Documents), 0),
		draw.Percent(s.Overall), draw.Percent(s.Mean), draw.Number(s.Variance, 1), draw.Percent(least),
		draw.Number(s.MacroF1, 3), draw.Percent(s.Majority), draw.Percent(s.Error)}
}
