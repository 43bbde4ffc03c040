package script

import (
	"strings"
	"testing"
)

// nodeScript has the var node everywhere that a var is allowed.
const nodeScript = `flow = 1
dir = "crawl/{node}"
seeds = { a = ["seeds/{node}.txt", "{{}}.txt"] }
limit.bandwidth = "{rate}/s"

[stage.one]
in      = "a"
read    = { rules = "./{node}/rules-{node}.txt", seen = "s{short}" }
timeout = "{time}"
run     = "one {node} {rules} {seen} {in}"
[stage.two]
every = "1{short}"
state = "sm"
run   = "two"
`

// A value from the command line works like one in the script, in whatever form that was written.
func TestVarsFromOutside(t *testing.T) {
	want := "arts\\ \"x\"\t\x1b\u00e9''' { #"
	for name, vars := range map[string]string{
		"basic":      "[vars]\nnode = \"a \\\" b\" # node = \"c\"\nother = \"o\"\n",
		"literal":    "[vars]\nother = 'o'\nnode = 'a \\'\n",
		"multi-line": "[vars]\nnode = \"\"\"\na \"\"\\\"\"\"\"\nother = \"o\"\n",
		"raw lines":  "[vars]\nnode = '''a ' \n''''\nother = \"o\"\n",
		"inline":     "vars = { other = \"o\", node = \"\" }\n",
		"dotted":     "vars.node=''\nvars.\"other\" = 'o'",
		"quoted key": "[vars]\n\"node\" = \"x\"\nother = \"o\"\n",
		"crlf":       "[vars]\r\nnode = \"x\"\r\nother = \"o\"\r\n",
	} {
		text := "flow = 1\ndir = 'd'\n" + vars + "\n[stage.one]\nevery = '1h'\nrun = 'one'\n"
		s, err := Parse("x.toml", []byte(text), nil, Var{"node", want})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		values := map[string]string{}
		for _, v := range s.Vars {
			values[v.Name] = v.Value
		}
		if len(s.Vars) != 2 || values["node"] != want || values["other"] != "o" {
			t.Errorf("%s: %q", name, s.Vars)
		}
		if same, err := Parse("x.toml", []byte(text), nil, Var{"other", "o"}); err != nil || string(same.Text) != text {
			t.Errorf("%s: with the value that it has the text became %s, %v", name, same.Text, err)
		}
		again, err := Parse("x.toml", s.Text, nil)
		if err != nil || dump(again) != dump(s) {
			t.Errorf("%s: the text that is kept, %s, says something else: %v", name, s.Text, err)
		}
		if got, want := strings.Count(string(s.Text), "\n"), strings.Count(text, "\n"); got != want {
			t.Errorf("%s: %d lines became %d", name, want, got)
		}
	}
}

// Vars are filled in paths and in values with a unit.
func TestVarsInValues(t *testing.T) {
	s := parse(t, nodeScript+"[vars]\nnode = ''\nrate = '1kB'\ntime = '1h30m'\nshort = 'm'\n",
		Var{"node", "arts"}, Var{"rate", "600KB"})
	one, two := s.Stage("one"), s.Stage("two")
	for _, c := range []struct{ got, want string }{
		{s.Dir, "/scripts/crawl/arts"},
		{s.Seeds[0].File, "/scripts/seeds/arts.txt"},
		{s.Seeds[1].File, "/scripts/{}.txt"},
		{s.Limit.Bandwidth, "600KB/s"},
		{one.Read[0].File, "/scripts/arts/rules-arts.txt"},
		{one.Read[1].State, "sm"},
		{one.Timeout.String(), "1h30m0s"},
		{two.Every.String(), "1m0s"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// Values from the command line that are not allowed, and names that no var has, are errors with a
// place.
func TestVarsRefused(t *testing.T) {
	text := nodeScript + "[vars]\nnode = ''\nrate = '1kB'\ntime = '1h'\nshort = 'm'\n"
	for _, c := range []struct {
		name, value, want string
	}{
		{"node", "", `x.toml:2:14: {node} is empty here; give it a value: -var node=NAME`},
		{"node", "..", `x.toml:2:14: {node} is "..", which is not a name`},
		{"node", "a/b", `x.toml:2:14: {node} is "a/b", which is not a name`},
		{"node", ".a", "which is not a name"},
		{"node", "-a", "which is not a name"},
		{"node", "a\x00b", "x.toml:16:8: var \"node\" holds a NUL byte"},
		{"node", strings.Repeat("a", 65), "which is not a name"},
		{"node", "a\xff", "x.toml:16:1: -var node: the value is not UTF-8"},
		{"nod", "a", `x.toml:15:2: -var nod: the script has no such var; did you mean "node"?`},
		{"agent", "a", `-var agent: the script has no such var; its vars are node, rate, time and short`},
		{"rate", "x", `x.toml:4:19: "bandwidth": "x/s": `},
		{"short", "/", `x.toml:8:59: {short} is "/", which is not a name`},
	} {
		s, err := Parse("x.toml", []byte(text), nil, Var{c.name, c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%q: %v, %v; want %s", c.name, c.value, s, err, c.want)
		}
	}
	// Keys that are no names, of which the library may know another spelling than Go does.
	strange := Var{"\u00e9", "a"}
	_, err := Parse("x.toml", []byte("flow = 1\ndir = 'd'\n[vars]\na = ''\n\"\\xe9\" = 'x'\n"+`"\e" = 'y'`+"\n"), nil,
		Var{"a", "a"}, strange, Var{"\x1b", "b"})
	if err == nil {
		t.Error("strange names pass")
	}
	_, err = Parse("x.toml", []byte("flow = 1\ndir = 'd'\n[stage.one]\nevery = '1h'\nrun = 'one'\n"), nil,
		Var{"node", "a"})
	if want := "x.toml:1:1: -var node: the script has no such var"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without vars: %v; want %s", err, want)
	}
}
