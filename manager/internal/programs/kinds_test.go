package programs

import (
	"strings"
	"testing"

	"multitext/script"
)

// kindsFlow has a stage order that reads what judge lets through, and one more queue, aside.
const kindsFlow = `
flow  = 1
dir   = "crawl"
seeds = { links = "/dev/null" }
[stage.judge]
in  = "links"
out = ["fresh", "known"]
run = "judge {fresh} {known} {in}"
[stage.count]
in  = "known"
out = "aside"
run = "count {aside} {in}"
[stage.order]
in  = [IN]
out = "links"
run = "order {links} {in}"
`

// A stage that needs records of a kind is refused where no stage upstream writes them to a queue
// that leads to it.
func TestNeeds(t *testing.T) {
	const why = `stage "order": nothing links`
	for _, c := range []struct {
		name, in string
		foreign  string // the stage whose program tells nothing
		gives    string // the queue into which judge writes the kind; "": none
		want     string
	}{
		{"none gives it", `"fresh", "aside"`, "", "", why},
		{"given", `"fresh", "known"`, "", "known", ""},
		{"given by way of another stage", `"fresh", "aside"`, "", "known", ""},
		{"given, but not read", `"fresh"`, "", "known", why},
		{"a program of the user's", `"fresh", "aside"`, "count", "", ""},
		{"a program of the user's that is not upstream", `"fresh"`, "count", "", why},
	} {
		s, err := script.Parse("flow.toml", []byte(strings.Replace(kindsFlow, "IN", c.in, 1)),
			func(string) (string, []string) { return "/bin/true", nil })
		if err != nil {
			t.Fatal(err)
		}
		all := map[*script.Stage]told{}
		for _, st := range s.Stages {
			if st.Name != c.foreign {
				all[st] = told{}
			}
		}
		all[s.Stage("order")] = *toldIn("needs links \"nothing links\"\n")
		if c.gives != "" {
			all[s.Stage("judge")] = *toldIn("gives links \"" + unborn(s)(c.gives)[0] + "\"\n")
		}
		var said string
		if errs := missing(s, all); errs != nil {
			said = errs.Error()
		}
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: it says %q, want %q", c.name, said, c.want)
		}
	}
}
