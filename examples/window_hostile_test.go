package examples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shout is a script that nobody can miss: it would leave a mark, open a dialog, and ask and go
// elsewhere.
const shout = `canary=1;alert('canary');fetch('http://canary.test/f');top.location='http://canary.test/t'`

// hostile are texts that break out of HTML, attributes, scripts, styles, SVG, events or lines where
// they are not escaped. Each may be the URL, title, stderr, file name or line of a crawl.
var hostile = []string{
	`<script>` + shout + `</script>`,
	`"><img src=x onerror="` + shout + `">`,
	`'><img src=x onerror='canary=1'>`,
	"`-alert('canary')-`",
	`</title></textarea></style></script></noscript><script>` + shout + `</script>`,
	`<svg onload=canary=1>`,
	`<svg><animate onbegin=canary=1 attributeName=x dur=1s>`,
	`<svg><a href="javascript:canary=1"><text>link</text></a></svg>`,
	`<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=canary=1&gt;">`,
	`<iframe srcdoc="<script>parent.canary=1</script>"></iframe>`,
	`<object data="javascript:canary=1"></object><embed src="javascript:canary=1">`,
	`<base href="http://canary.test/">`,
	`<meta http-equiv="refresh" content="0;url=http://canary.test/">`,
	`<link rel="stylesheet" href="http://canary.test/"><style>@import "http://canary.test/"</style>`,
	`<form action="http://canary.test/"><button autofocus onfocus=canary=1>press`,
	`<a href="javascript:canary=1">link</a>`,
	`<template><script>canary=1</script></template>`,
	`<!--><script>canary=1</script>-->`,
	`<![CDATA[<script>canary=1</script>]]>`,
	`{{.}}{{define "x"}}{{end}} ${canary=1} #{canary=1}`,
	`%3Cscript%3Ecanary=1%3C/script%3E`,
	`&lt;script&gt;canary=1&lt;/script&gt; &#60;script>`,
	`javascript:canary=1`,
	`data:text/html,<script>canary=1</script>`,
	`http://h.test/"onmouseover="canary=1"x='`,
	`http://h.test/' onfocus='canary=1' autofocus='`,
	`../../../../etc/passwd`,
	`data: <script>canary=1</script>` + "\r\revent: part\rdata: <script>canary=1</script>\r\r",
	"\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b31m",
	"\u202eevil\u2066\u200b\ufeff\u2028\u2029",
	"\x00<script>canary=1</script>\xff\xfe\xc0\xbc",
	strings.Repeat("long", 500),
}

// hostileScript is a crawl whose stages put the texts everywhere: into their command lines,
// reports, stderr, batches and products. Two stages fail, one at all batches; one is held back.
const hostileScript = `
flow  = 1
dir   = "crawl"
seeds = { links = "seeds.txt" }

[vars]
text = %s

[stop]
time = "2s"

[queue.lines]
ext = "txt"
[queue.packed]
ext = "txt.gz"
[queue.page]
ext = "html"
[queue.picture]
ext = "svg"
[queue.left]
ext = "txt"

[stage.work]
in    = "links"
out   = ["lines", "packed", "page", "picture", "left"]
shell = """
: {text}
cat {in} >&2
cat {in} > {lines}
gzip -c {in} > {packed}
cp page.html {page}
cp picture.svg {picture}
cat {in} > {left}
cp report.txt {report}
for f in {lines} {packed} {page} {picture} {left}; do echo "made $f 1 $(stat -c %%s "$f") -"; done >> {report}
"""

[stage.fail]
in    = "lines"
retry = 0
shell = "cat {in} >&2; exit 1"

[stage.wait]
in    = "packed"
every = "1h"
out   = "never"
shell = "cat {in} >&2; exit 75"
`

// hostilePage and hostilePicture try to run a script, to ask other hosts, to reach the page around
// them and to have themselves clicked on.
const (
	hostilePage = `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="1;url=http://canary.test/meta">
<link rel="stylesheet" href="http://canary.test/css"><title>product</title></head><body>
<script>document.documentElement.dataset.ran = "yes"; try { parent.canary = 1 } catch {} ` + shout + `</script>
<img src="http://canary.test/img" onerror="document.documentElement.dataset.ran = 'yes'">
<form action="http://canary.test/form" target="_top"><button autofocus>press</button></form>
<a href="http://canary.test/link" target="_top" style="position:fixed;inset:0">PRODUCT</a></body></html>`
	hostilePicture = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"
onload="document.documentElement.dataset.ran = 'yes'"><script>document.documentElement.setAttribute("data-ran", "yes");
try { parent.canary = 1 } catch {} ` + shout + `</script><image href="http://canary.test/image" width="9" height="9"/>
<a href="http://canary.test/link" target="_top"><rect width="300" height="300" fill="green"/></a>
<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://canary.test/frame"/>
</foreignObject></svg>`
)

// hostileTextsBench is that crawl, after its manager has ended.
func hostileTextsBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, bin: programs(t), dir: t.TempDir(), script: "crawl.toml"}
	b.write("crawl.toml", fmt.Sprintf(hostileScript, tomlString(hostile[0]+hostile[1]+hostile[3])))
	b.write("seeds.txt", strings.Join(hostile, "\n"))
	b.write("page.html", hostilePage)
	b.write("picture.svg", hostilePicture)
	report := fmt.Sprintf("in %d\nnote %s\n", len(hostile), escaped(hostile[0]))
	for i, text := range hostile {
		report += fmt.Sprintf("reason reason-%d 1\nbecause reason-%d 1 %s %s\n", i, i, escaped(text), escaped(text))
	}
	b.write("report.txt", report)
	cmd, said := b.manager("run")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 7 {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	for _, text := range hostile[:26] { // names of files that somebody has put there
		name := filepath.Join(b.crawlPath("page"), strings.ReplaceAll(text[:min(len(text), 200)], "/", "_")+".html")
		if err := os.WriteFile(name, []byte(hostilePage), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// escaped is a text as a report has it.
func escaped(text string) string {
	var s strings.Builder
	for _, c := range []byte(text) {
		if c < 0x21 || c > 0x7e || c == '%' {
			fmt.Fprintf(&s, "%%%02X", c)
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}

func tomlString(text string) string { return "'''" + text + "'''" }

// unbroken finds that no text of the crawl has become more than text on the page.
func (p *tab) unbroken() {
	p.t.Helper()
	if js[bool](p, "typeof canary !== 'undefined'") {
		p.t.Errorf("%s: a script of the crawl has run", p.where())
	}
	const bad = `[onerror],[onload],[onbegin],[onfocus],[onmouseover],[srcdoc],base,meta[http-equiv=refresh],object,embed,` +
		`animate,math,template,script:not([src]),body style,form[action^="http"],` +
		`[href^="javascript:"],[href*="canary.test"]:not([href^="/c/"]),[src*="canary.test"]`
	found := js[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.outerHTML.slice(0, 200))`, bad))
	if len(found) > 0 {
		p.t.Errorf("%s: texts of the crawl have become elements: %q", p.where(), found)
	}
	if found := js[bool](p, `/[\u0000\u001b\u0080-\u009f\u202e\u2066]/.test(document.body.innerText)`); found {
		p.t.Errorf("%s: there are control characters in the text", p.where())
	}
}
