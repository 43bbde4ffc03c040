package terms_test

import (
	"fmt"

	"multitext/classify/terms"
)

func ExampleSplitter_HTML() {
	page := []byte(`<h1>Caf&eacute; No.&nbsp;17</h1><script>var x</script> open`)
	var s terms.Splitter
	for term := range s.HTML(page) {
		fmt.Printf("%s ", term)
	}
	// Output: café no open
}
