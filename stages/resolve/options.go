package main

import (
	"errors"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/web/robots"
)

// options holds the values of the flags.
type options struct {
	agent                 string
	hosts, fresh          string // files of the state: list of segments, new segment
	ready, again, refused string
	sitemaps, visits      string
	robots                string
	explained, live       bool
	ttl, patience         time.Duration
	span, tail, timeout   time.Duration
	jobs, perAddress      int
	room                  int64 // maxRenewed
	rate                  *stage.Rate
	dialer                dial.Dialer
	ca                    string // trusted certificates
}

// check checks the flags, and that -robots and -explain have URLs.
func (o *options) check(inputs []string) error {
	tells := o.robots != "" || o.explained
	switch {
	case o.live && !o.explained:
		return errors.New("-live works only with -explain")
	case tells && inputs[0] == "-":
		return errors.New("-robots and -explain need URLs as arguments")
	case o.robots != "":
		return nil // no server is asked
	case !tells && (o.ready == "" || o.again == ""):
		return errors.New("-ready and -again are required")
	case o.jobs < 1:
		return errors.New("-jobs must be at least 1")
	case o.perAddress < 0:
		return errors.New("-per-address-connections must not be negative")
	case o.ttl <= 0 || o.timeout <= 0 || o.span <= 0 || o.patience < 0 || o.tail < 0:
		return errors.New("-ttl, -robots-timeout and -for must be above 0, -patience and -tail 0 or more")
	}
	if _, err := exchange.Trust(o.ca); err != nil {
		return err
	}
	return exchange.CheckAgent(o.agent)
}

func (o *options) newJudge(env *stage.Env) *judge {
	j := &judge{
		patience: o.patience,
		tally:    o.tally(),
		forgets:  o.fresh == "",
		dialer:   &o.dialer,
		ready:    urlbatch.NewWriter(env.Files, o.ready, env.Report.Out),
		again:    again.NewWriter(env.Files, o.again, env.Report),
		refused:  urlbatch.NewExit(env.Files, o.refused, env.Report),
		rep:      env.Report,
	}
	j.refused.Remedy = remedyOf
	return j
}

func (o *options) newProber(env *stage.Env, codec *codec) (*prober, error) {
	trusted, err := exchange.Trust(o.ca)
	if err != nil {
		return nil, err
	}
	o.dialer.Timeout = o.timeout
	client := &exchange.Client{
		Dialer:   &o.dialer,
		TLS:      trusted,
		Agent:    o.agent,
		Identity: true,
		Limits: exchange.Limits{
			// Half of the timeout, to distinguish a server that does not accept the connection from
			// one that accepts it and does not answer.
			Timeout: o.timeout / 2,
			Total:   o.timeout,
			Head:    64 << 10,
			Body:    robots.MaxBody + 64<<10, // with its chunk framing
		},
	}
	if o.rate != nil && *o.rate > 0 {
		ceiling := bandwidth.NewCeiling(float64(*o.rate), o.jobs)
		client.Pace, client.Piece = ceiling.Pace, ceiling.Piece()
	}
	return &prober{dialer: &o.dialer, client: client, codec: codec, log: env.Log, ttl: o.ttl, timeout: o.timeout}, nil
}
