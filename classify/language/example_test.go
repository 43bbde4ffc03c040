package language_test

import (
	"fmt"

	"multitext/classify/language"
	"multitext/classify/terms"
)

func Example() {
	identifier, err := language.NewTwoStep(true)
	if err != nil {
		panic(err)
	}
	var s terms.Splitter
	var page terms.Document
	for _, text := range []string{"The house on the hill is old", "Das Haus auf dem Berg ist alt und schön"} {
		page.Read(s.Text([]byte(text)))
		fmt.Println(identifier.Identify(&page).Language)
	}
	// Output:
	// en
	// de
}
