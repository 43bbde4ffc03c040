package script

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestScanLine(t *testing.T) {
	tests := []struct {
		line string
		want []string
	}{
		{"a b\tc\n d", []string{"a", "b", "c", "d"}},
		{`a 'b c' "d e"f`, []string{"a", "b c", "d ef"}},
		{`a '' ""`, []string{"a", "", ""}},
		{`a\ b \'c \|`, []string{"a b", "'c", "|"}},
		{`"a\"b" "\x" "\\" "\$"`, []string{`a"b`, `\x`, `\`, `$`}},
		{`'|&;<>$` + "`" + `\'`, []string{"|&;<>$`\\"}},
		{"a \\\n b", []string{"a", "b"}},
		{"  ", nil},
	}
	for _, test := range tests {
		words, errs := scanLine(test.line)
		if errs != nil {
			t.Errorf("scanLine(%q): %v", test.line, errs)
		}
		got := plain(words)
		if !slices.Equal(got, test.want) {
			t.Errorf("scanLine(%q) = %q; want %q", test.line, got, test.want)
		}
	}
}

// plain returns words that hold no placeholder as text.
func plain(words [][]part) (texts []string) {
	for _, w := range words {
		text := ""
		for _, p := range w {
			text += p.text
		}
		texts = append(texts, text)
	}
	return texts
}

// scanLine agrees with bash on every line that it takes and bash sees no more
// than words in.
func TestScanLineAsBash(t *testing.T) {
	for _, line := range []string{`a 'b c' "d\"e" f\ g`, `"x\y" 'p\q' \\`, `a""b ''`, "a \\\nb", "a\\\nb \"\\\n\""} {
		words, errs := scanLine(line)
		if errs != nil {
			t.Errorf("scanLine(%q): %v", line, errs)
			continue
		}
		got := strings.Join(plain(words), "\n") + "\n"
		want, runErr := exec.Command("bash", "-c", `printf '%s\n' `+line).Output()
		if runErr != nil {
			t.Skipf("no bash: %v", runErr)
		}
		if got != string(want) {
			t.Errorf("scanLine(%q) = %q; bash has %q", line, got, want)
		}
	}
}

// value gives hostile values: none of them may become two words or run.
func hostile(name string) []string {
	if name == "in" {
		return []string{"/a b", "/c'd", "$(touch x)"}
	}
	return []string{`x "y" 'z' $HOME; exit 3 ` + "\n"}
}

func parseStage(t *testing.T, lines string) *Stage {
	t.Helper()
	return parse(t, "flow=1\ndir='d'\nseeds={q='f'}\nvars={v='1'}\n[stage.a]\nin='q'\nout='o'\n"+lines).Stage("a")
}

func TestArgvNeverSplitsAValue(t *testing.T) {
	in, other := hostile("in"), hostile("v")[0]
	tests := []struct {
		lines string
		want  []string
	}{
		{`run = "p {v} -x={v}.{o} {in} {{v}} end"`,
			[]string{"p", other, "-x=" + other + "." + other, in[0], in[1], in[2], "{v}", "end"}},
		{`run = ["p", "{in}", "a b", "{v}", ""]`,
			[]string{"p", in[0], in[1], in[2], "a b", other, ""}},
	}
	for _, test := range tests {
		if got := parseStage(t, test.lines).Argv(hostile); !slices.Equal(got, test.want) {
			t.Errorf("%s\ngot  %q\nwant %q", test.lines, got, test.want)
		}
	}
}

// Bash itself tells whether the values arrive as they are.
func TestShellQuotes(t *testing.T) {
	argv := parseStage(t, `shell = "printf '%s|' {in} pre{v}; false | true"`).Argv(hostile)
	argv[0] = "bash"
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if _, isExit := err.(*exec.ExitError); !isExit {
		t.Errorf("a pipe with a failing part ended with %v; want a failure", err)
	}
	if want := strings.Join(hostile("in"), "|") + "|pre" + hostile("v")[0] + "|"; string(out) != want {
		t.Errorf("bash got %q; want %q", out, want)
	}
}
