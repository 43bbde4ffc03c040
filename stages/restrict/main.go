// Command restrict keeps the URLs that are in scope, and writes them in canonical form. It is the
// restrictor of the thesis (3.2.2), which drops URLs that are obviously not HTML or not in the
// wanted domains.
//
// # Rules
//
// A rules file has one rule a line. A line that begins with a blank continues the rule above it,
// and # begins a comment. The first rule that matches a URL decides:
//
//	rule      = action condition { "and" condition } [ "as" NAME ]
//	action    = "keep" | "reject"
//	condition = [ "not" ] KIND { ARGUMENT }
//
// A rule matches if all its conditions match. A condition matches if one of its arguments matches.
// The last rule must be "keep all" or "reject all", so that the rules decide every URL.
//
//	keep   host    example.org www.example.org
//	reject type    image video archive            as not-html
//	reject domain  example.org and path /cgi-bin/ and params > 3
//	keep   domain  example.org and not depth > 10
//	reject all
//
// restrict -h lists the kinds of conditions. It also lists the traps, which are rules against
// endless webs. They come before all other rules, unless -traps=false. All rules apply to the
// canonical URL. You may write host names in Unicode.
//
// Each run reads the file anew, so you can change the scope of a crawl while it runs. Replace the
// file by a rename: a run refuses a half-written file. If the script names the file in read, the
// log has its XXH64 for each transaction.
//
// A rejected URL carries reason=NAME. NAME is the name in the rule's "as", else the kind of its
// first condition (not-KIND after "not"; out-of-scope for "reject all"). A URL without a canonical
// form is rejected before any rule: not-http (another scheme), bad-host, too-long (over 8,192 bytes
// or 100 segments), bad-url. A line that is not a record gets bad-line.
//
// # Hosts of a domain
//
// A name server can give a domain any number of hosts, and a page on each may link to the next. So
// restrict limits the hosts of a registered domain to -max-hosts N, unless N is 0. After the rules,
// it rejects a URL as trap-hosts if its host is new and N other hosts of the domain were accepted
// before. A host with another port counts as another host. Each site of a public suffix such as
// github.io counts as a domain. So does an IPv4 address, and an IPv6 network of 48 bits. The host
// of a seed, which is a record without via=, is always accepted, and counts. The state remembers
// the hosts; without it each run counts from zero:
//
//	[stage.restrict]
//	state = "domains"
//	run   = "restrict -domains {domains} -new {domains.new} …"
//
// The state consists of segments with values (package segment). The key of a host is the hash
// (package keyed) of "host " and its name, with the port if it is not the default; its value is
// empty. The key of a domain is the hash of "domain " and its name. Its value, version 1:
//
//	1 byte   1, the version
//	uvarint  number of its accepted hosts
//	rest     the name of the domain
//
// Two hosts with the same key count as one. testdata/v1 stays readable for ever.
//
// Memory: one record, and with -max-hosts at most 600 bytes for each host of the run.
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
		Long: `Reads URL batches and converts each URL to its canonical form. The first rule that matches it
decides. Kept records go to -kept, rejected records go to -rejected with reason=NAME.

A rule is "keep" or "reject", then conditions joined by "and" (each may begin with "not"),
then optionally "as NAME". The last rule is "keep all" or "reject all":

  reject type image video and not host img.example.org as pictures
  keep   domain example.org and depth <= 10
  reject all

Kinds of conditions, where OP is one of < <= = >= >:

` + indent(kindsHelp()) + `A date is a year of four digits, 1700 to 2199, next to a month of two digits, with one of / -
_ . between them: /2031/05/, 2031-05-17, 17.05.2031. In a query parameter whose name ends in
year or yr, a year alone is also a date. If the name contains date, day or month, digits
without separators are also a date (20310517, 203105). Years are counted from today, or from
the day in -now.

-rule puts rules before the rules of the file. Without any rule, all URLs are kept. The traps
come before all rules, unless -traps=false:

` + indent(traps) + `After the rules, -max-hosts limits the number of hosts of one registered domain, unless it is
0. Hosts of seeds (records without via=) are always accepted. The state, in -domains and -new,
remembers which hosts were accepted.

Reasons for rejected records, which end here if there is no -rejected: the names of the rules;
trap-hosts; not-http, bad-host, too-long and bad-url, which have no canonical form; bad-line.`,
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
	o.rule = stage.StringsVar(fs, "rule", "put `RULE` before the rules of -rules; may be repeated")
	fs.BoolVar(&o.traps, "traps", true, "put the rules against traps before all others")
	fs.IntVar(&o.maxHosts, "max-hosts", 1000, "keep URLs of at most `N` hosts of one registered domain (in one run,"+
		" without -domains and -new);\n0 means no limit")
	fs.StringVar(&o.domains, "domains", "", "read the accepted hosts from the segments listed in `FILE`; without it,"+
		" or if FILE is empty, there are none")
	fs.StringVar(&o.fresh, "new", "", "write the hosts that this run accepts to the new segment `FILE`")
	fs.StringVar(&o.kept, "kept", "-", "write the kept records to `FILE`")
	fs.StringVar(&o.rejected, "rejected", "", "write the rejected records to `FILE`; without it they are only counted")
	fs.Func("now", "count years from `DAY`, as in 2026-11-21, instead of from today", func(s string) (err error) {
		o.now, err = time.Parse(time.DateOnly, s)
		return err
	})
	explained := fs.String("explain", "", "print which rule decides `URL` (optionally a blank and depth=N or rel=NAME)"+
		" and why, and do nothing else")
	return func(ctx context.Context, env *stage.Env) error {
		if o.maxHosts < 0 || o.maxHosts == 0 && o.domains+o.fresh != "" {
			return stage.Usagef("-domains and -new need -max-hosts above 0")
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

// verify checks a file. It must be a complete URL batch in which each line is a record, or a
// segment of the state.
func verify(ctx context.Context, env *stage.Env, path string) error {
	if segment.Is(path) {
		return segment.VerifyFile(path, env.Hash, checkEntry)
	}
	return urlbatch.Verify(ctx, path, env.Stdin)
}

func main() { stage.Main(tool(), setup) }
