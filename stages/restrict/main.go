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
// rule must be "keep all" or "reject all", so that the rules decide every URL.
//
//	keep   host    example.org www.example.org
//	reject type    image video archive            as not-html
//	reject domain  example.org and path /cgi-bin/ and params > 3
//	keep   domain  example.org and not depth > 10
//	reject all
//
// restrict -h lists the kinds, and the traps: rules against endless webs, which come before all
// others unless -traps=false. All are judged on the canonical URL. You may write host names in
// Unicode.
//
// Each run reads the file anew, so you can change the scope of a crawl while it runs. Replace the
// file by a rename: a run that meets half a file refuses it. If the script names the file in read,
// the log has its XXH64 for each transaction.
//
// A URL that is rejected carries reason=NAME: the name that "as" gives the rule, else the kind of
// its first condition (not-KIND after "not"; out-of-scope for "reject all"). A URL without a
// canonical form is rejected before any rule: not-http (another scheme), bad-host, too-long (over
// 8,192 bytes or 100 segments), bad-url. bad-line is a line that is no record.
//
// # Hosts of a domain
//
// A name server can give a domain as many hosts as there are names, and a page on each may link to
// the next. So after the rules, unless -max-hosts is 0, a URL that they keep is rejected as
// trap-hosts if its host is new and N other hosts (with their ports) of its registered domain were
// taken up before. The sites of a public suffix such as github.io are domains of their own. An IPv4
// address is a domain, and so is an IPv6 network of 48 bits. A seed, which is a record without
// via=, is always taken up, and counts. The state remembers the hosts; without it each run has a
// bound of its own:
//
//	[stage.restrict]
//	state = "domains"
//	run   = "restrict -domains {domains} -new {domains.new} …"
//
// A segment (package segment) with values. A host has the key (package keyed) of "host " and its
// name (with the port that is not the scheme's), and no value; a domain that of "domain " and its
// name, and as value, version 1:
//
//	1 byte   1, the version
//	uvarint  how many of its hosts are taken up
//	rest     the name of the domain
//
// Two hosts of one key count as one. testdata/v1 holds a segment that is kept for ever.
//
// Memory: a record, and with -max-hosts at most 600 bytes for each host of the run.
package main

import (
	"context"
	"flag"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "restrict",
		Formats: []string{segment.Formats()},
		Short:   "keeps the URLs that are in scope, in canonical form",
		Long: `Reads URL batches, brings each URL into its canonical form and asks the rules: the first that
matches decides. Kept records go to -kept, rejected ones with reason=NAME to -rejected.

A rule is "keep" or "reject", conditions joined by "and" (each may begin with "not"), and
perhaps "as NAME"; the last is "keep all" or "reject all":

  reject type image video and not host img.example.org as pictures
  keep   domain example.org and depth <= 10
  reject all

Kinds of conditions, where OP is one of < <= = >= >:

` + indent(kindsHelp()) + `
A date is a year of four digits, 1700 to 2199, beside a month of two, with one of / - _ . between them:
/2031/05/, 2031-05-17, 17.05.2031. In a query it is also a year alone if the name of the parameter
ends in year or yr, and a date without separators (20310517, 203105) if the name has date, day or
month in it. -now sets the day from which years are counted.

-rule puts rules in front of those of the file. Without any rule, all is kept. The traps come before
all rules, unless -traps=false:

` + indent(traps) + `
After the rules, unless -max-hosts is 0, a bound on the hosts of one registered domain applies. Hosts
of seeds (records without via=) are always taken up. The state, in -domains and -new, says which hosts
were taken up.

Reasons, for records that leave the flow if there is no -rejected: the names of the rules; trap-hosts;
not-http, bad-host, too-long and bad-url, which have no canonical form; bad-line.`,
		Example: `restrict -rules scope.txt -kept kept.zst -rejected rejected.zst seeds.txt
restrict -rules scope.txt -explain 'http://www.example.org/a.gif depth=3'
restrict -explain 'http://www.example.org/calendar/2031/05/'
restrict -rule 'reject ext gif' -rule 'keep all' < seeds.txt`,
		Check: stage.Check{Of: "URL batches of any stage or segments of -domains", File: verify},
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{now: time.Now()}
	fs.StringVar(&o.rules, "rules", "", "read the rules from `FILE`")
	o.rule = stage.StringsVar(fs, "rule", "put `RULE` in front of those of -rules; may be given more than once")
	fs.BoolVar(&o.traps, "traps", true, "put the rules against traps in front")
	fs.IntVar(&o.maxHosts, "max-hosts", 1000, "keep URLs of at most `N` hosts of one registered domain, of one run"+
		" where -domains and -new are not given;\n0: any number")
	fs.StringVar(&o.domains, "domains", "", "read which hosts are taken up from the segments listed in `FILE`; none or"+
		" empty: none is")
	fs.StringVar(&o.fresh, "new", "", "write the hosts that this run takes up to the new segment `FILE`")
	fs.StringVar(&o.kept, "kept", "-", "write the kept records to `FILE`")
	fs.StringVar(&o.rejected, "rejected", "", "write the rejected records to `FILE`; without it they are only counted")
	fs.Func("now", "count years from `DAY`, as 2026-11-21, and not from today", func(s string) (err error) {
		o.now, err = time.Parse(time.DateOnly, s)
		return err
	})
	explained := fs.String("explain", "", "say which rule decides `URL` (behind a blank perhaps depth=N or rel=NAME)"+
		" and why, and do nothing else")
	return func(ctx context.Context, env *stage.Env) error {
		if o.maxHosts < 0 || o.maxHosts == 0 && o.domains+o.fresh != "" {
			return stage.Usagef("-domains and -new are the state of -max-hosts N, which must be above 0")
		}
		scope, err := o.scope()
		if err != nil {
			return stage.Usagef("%w", err)
		}
		if err := env.Ready(); err != nil {
			return err
		}
		if *explained != "" {
			env.NoReport = true
			return o.explain(env, scope, *explained)
		}
		return o.restrict(ctx, env, scope)
	}
}

// verify checks a file: a URL batch, whole and each line of it a record, or a segment of the state.
func verify(ctx context.Context, env *stage.Env, path string) error {
	if segment.Is(path) {
		return segment.VerifyFile(path, env.Hash, checkEntry)
	}
	return urlbatch.Verify(ctx, path, env.Stdin)
}

func main() { stage.Main(tool(), setup) }
