package main

import "io"

// openTopical is the web that the options name.
func openTopical(o *options) (*topical, error) {
	f, err := readTopicalFile(o.topical.file, o.topical.sets)
	if err != nil {
		return nil, err
	}
	return newTopical(f, o.shape.seed)
}

// tell prints the links of a topical web, or writes training pages.
func tell(o *options, stdout io.Writer) error {
	w, err := openTopical(o)
	if err != nil {
		return err
	}
	if o.topical.links {
		return w.printLinks(stdout)
	}
	return w.train(o.topical.train, o.topical.perTopic)
}
