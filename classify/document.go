package classify

import "multitext/classify/terms"

// A Document is what is classified: the bag of a page's terms.
type Document = terms.Document
