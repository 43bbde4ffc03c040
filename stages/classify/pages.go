package main

import (
	"context"
	"errors"
	"flag"

	"multitext/stages/internal/stage"
)

// pagesVerb is the stage that assigns pages, after they were fetched.
func pagesVerb() stage.Verb {
	return stage.Verb{Name: "pages", Tool: stage.Tool{Name: "classify pages", Short: "sends pages to the crawlers that own them"},
		Setup: func(*flag.FlagSet) stage.Body {
			return func(context.Context, *stage.Env) error { return errors.New("not built yet") }
		}}
}
