package classify_test

import (
	"fmt"

	"multitext/classify"
	"multitext/classify/terms"
)

func Example() {
	var splitter terms.Splitter
	var page classify.Document
	var training classify.Training
	for label, body := range map[string]string{
		"sport":    "<p>The ball hit the goal, and the match was won.",
		"politics": "<p>The vote on the law was won by two.",
	} {
		page.Read(splitter.HTML([]byte(body)))
		if err := training.Add(label, &page); err != nil {
			panic(err)
		}
	}
	model, err := classify.Train(&training, classify.Options{Method: classify.NaiveBayes{Smoothing: 1}})
	if err != nil {
		panic(err)
	}
	var ranking classify.Ranking
	page.Read(splitter.HTML([]byte("<h1>A match</h1>Two teams, one <b>ball</b>")))
	model.Classify(&page, &ranking)
	fmt.Println(ranking.Topics[0].Label, ranking.Known)
	// Output: sport 3
}
