// Command restrict keeps the URLs that are in scope, in canonical form: the restrictor of the
// thesis (3.2.2), which drops what is plainly no HTML and what lies outside the domains wanted.
//
// # Rules
//
// A rules file holds one rule a line; a line that begins with a blank goes on with the rule
// above it, and # begins a comment. The first rule that matches a URL decides it:
//
//	rule      = action condition { "and" condition } [ "as" NAME ]
//	action    = "keep" | "reject"
//	condition = [ "not" ] KIND { ARGUMENT }
//
// A rule matches when all its conditions do, a condition when one of its arguments does. The last
// rule must be "keep all" or "reject all", so that the fate of every URL can be read.
//
//	keep   host    example.org www.example.org
//	reject type    image video archive            as not-html
//	reject domain  example.org and path /cgi-bin/ and params > 3
//	keep   domain  example.org and not depth > 10
//	reject all
//
// The kinds, all judged on the canonical URL:
//
//	all                  every URL
//	scheme http|https    its scheme
//	host NAME …          this host; with a port (example.org:8080) this port only
//	domain NAME …        this name and every host below it
//	surt PREFIX …        its SURT begins so: http://(org,example,www,)/a; without the scheme both
//	path PREFIX …        path and query begin so: /cgi-bin/
//	regex RE …           a regular expression (Go's, RE2) matches somewhere in the URL
//	ext EXT …            extension of the path's last segment, without dot, any case
//	type NAME …          extensions by kind: image audio video archive document style script font program
//	depth OP N           links from a seed
//	length OP N          bytes of the URL
//	segments OP N        segments of the path: /a/b is 2
//	repeats OP N         how often the most frequent segment of the path is in it: /a/b/a is 2
//	params OP N          parameters of the query
//
// OP is one of < <= = >= >. Host names may be written in Unicode.
//
// # Reasons
//
// A URL that is rejected carries reason=NAME: the name that "as" gives the rule, else the kind
// of its first condition (not-KIND behind "not"; out-of-scope for "reject all"). What has no
// canonical form is rejected before any rule: not-http (another scheme), bad-host, too-long
// (over 8,192 bytes or 100 segments), bad-url; bad-line is a line that is no record.
//
// # Traps
//
// In front of the rules stand, unless -traps=false, three against endless webs:
//
//	reject length   > 2048   as trap-length
//	reject repeats  > 3      as trap-repeats
//	reject segments > 20     as trap-segments
//
// Depth is not bounded: a calendar without end needs a rule of its own ("reject depth > 50").
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:  "restrict",
		Short: "keeps the URLs that are in scope, in canonical form",
		Long: `Reads URL batches, brings each URL into its canonical form and asks the rules: the first that
matches decides. Kept records go to -kept, rejected ones with reason=NAME to -rejected.

A rule is "keep" or "reject", conditions joined by "and" (each may begin with "not"), and
perhaps "as NAME"; the last is "keep all" or "reject all":

  reject type image video and not host img.example.org as pictures
  keep   domain example.org and depth <= 10
  reject all

Kinds of conditions: all, scheme, host NAME..., domain NAME..., surt PREFIX..., path PREFIX...,
regex RE..., ext EXT..., type image|audio|video|archive|document|style|script|font|program,
and with an OP of < <= = >= > and a number: depth, length, segments, repeats, params.

-rule puts rules in front of those of the file. Without any, all is kept. In front of all
stand the traps, unless -traps=false:

` + indent(traps) + `
Leave the flow, if there is no -rejected: the names of the rules; not-http, bad-host, too-long
and bad-url, which have no canonical form; bad-line.`,
		Example: `restrict -rules scope.txt -kept kept.zst -rejected rejected.zst seeds.txt
restrict -rules scope.txt -explain 'http://www.example.org/a.gif depth=3'
restrict -rule 'reject ext gif' -rule 'keep all' < seeds.txt`,
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	var o options
	fs.StringVar(&o.rules, "rules", "", "read the rules from `FILE`")
	o.rule = stage.StringsVar(fs, "rule", "put `RULE` in front of those of -rules; may be given more than once")
	fs.BoolVar(&o.traps, "traps", true, "put the rules against traps in front")
	fs.StringVar(&o.kept, "kept", "-", "write the kept records to `FILE`")
	fs.StringVar(&o.rejected, "rejected", "", "write the rejected records to `FILE`; without it they are only counted")
	explained := fs.String("explain", "", "say which rule decides `URL` (behind a blank perhaps depth=N) and why, and do nothing else")
	verify := fs.Bool("verify", false, "check the arguments, URL batches of any stage, and do nothing else: each is whole, each line a record")
	return func(ctx context.Context, env *stage.Env) error {
		if *verify {
			return stage.Verify(ctx, env, func(path string) error { return urlbatch.Verify(ctx, path, env.Stdin) })
		}
		scope, err := o.scope()
		if err != nil {
			return err
		}
		if *explained != "" {
			env.NoReport = true
			return explain(env.Stdout, scope, *explained)
		}
		return restrict(ctx, env, scope, o.kept, o.rejected)
	}
}

func main() { stage.Main(tool(), setup) }
