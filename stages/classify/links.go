package main

import (
	"context"
	"errors"
	"flag"

	"multitext/stages/internal/stage"
)

// linksVerb is the stage that assigns links, before they are fetched.
func linksVerb() stage.Verb {
	return stage.Verb{Name: "links", Tool: stage.Tool{Name: "classify links", Short: "sends links to the crawlers that own them"},
		Setup: func(*flag.FlagSet) stage.Body {
			return func(context.Context, *stage.Env) error { return errors.New("not built yet") }
		}}
}
