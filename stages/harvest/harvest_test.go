package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// A crawl is runs of the stage in a folder, each with the state of the one before.
type crawl struct {
	*testing.T
	dir  string
	runs int
}

// file is the path of a file of the last run.
func (c *crawl) file(name string) string { return filepath.Join(c.dir, fmt.Sprint(c.runs, "-", name)) }

// harvest runs the stage on records, with all of its outputs.
func (c *crawl) harvest(flags string, lines ...string) stagetest.Result {
	c.Helper()
	list := filepath.Join(c.dir, "list")
	if old := c.file("curve"); c.runs > 0 {
		if err := os.WriteFile(list, []byte(old+"\n"), 0o666); err != nil {
			c.Fatal(err)
		}
	}
	c.runs++
	args := []string{"-curve", list, "-new", c.file("curve"), "-tsv", c.file("tsv"), "-svg", c.file("svg"), "-stagnant",
		c.file("stagnant")}
	if err := os.WriteFile(c.file("in"), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		c.Fatal(err)
	}
	args = append(append(args, strings.Fields(flags)...), c.file("in"))
	return stagetest.MustRun(c.T, tool(), setup, "", args...)
}

// text is a file of the last run, "" if there is none.
func (c *crawl) text(name string) string {
	text, _ := os.ReadFile(c.file(name))
	return string(text)
}

// pages are n records of pages of a worth.
func pages(n int, worth string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("http://a.test/%d\tworth=%s", i, worth))
	}
	return lines
}

const header = "pages\tmean100\tmean1000\tall\n"

// TestHarvest: runs go on where the one before was, and the products are written as the crawl
// grows.
func TestHarvest(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	r := c.harvest("-least 0.1", "http://a.test/1\tworth=1", "http://a.test/2\tworth=0.5\tdepth=1", "http://a.test/3",
		"bad line", "http://a.test/4\tworth=x", "http://a.test/5\tworth=7")
	r.Wants(t, "in 6", "reason counted 4", "reason no-worth 1", "reason bad-line 1", "gauge pages 4",
		"gauge permille-100 625", "gauge permille-1000 625", "gauge permille-all 625")
	const rows = header + "1\t1.0000\t1.0000\t1.0000\n2\t0.7500\t0.7500\t0.7500\n3\t0.5000\t0.5000\t0.5000\n" +
		"4\t0.6250\t0.6250\t0.6250\n"
	if c.text("tsv") != rows || c.text("stagnant") != "" {
		t.Errorf("the table is %q, want %q; stagnant: %q", c.text("tsv"), rows, c.text("stagnant"))
	}
	svg := c.text("svg")
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil || !strings.Contains(svg, ">4</text>") {
		t.Errorf("the picture: %v, %s", err, svg)
	}
	if r = c.harvest("-least 0.1", pages(100, "0")...); !strings.Contains(r.Report, "\nreplaces ") {
		t.Errorf("the second run replaces nothing: %s", r.Report)
	}
	r.Wants(t, "gauge permille-100 0", "gauge permille-1000 24")
	if r = c.harvest("-least 0.1", pages(10, "0")...); c.text("tsv")+c.text("svg") != "" {
		t.Error("products were written, though the crawl has not grown by a tenth")
	}
	c.harvest("-least 0.1", pages(1, "0")...)
	if rows := strings.Split(c.text("tsv"), "\n"); len(rows) != 117 || rows[115] != "115\t0.0000\t0.0217\t0.0217" {
		t.Errorf("after 115 pages the table ends with %q", rows[len(rows)-2:])
	}
}

// TestNothing: without a page there is nothing to remember, and the state stays.
func TestNothing(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	r := c.harvest("-least 0.1", "http://a.test/3")
	if r.Wants(t, "reason no-worth 1"); c.text("curve")+c.text("tsv")+c.text("svg") != "" {
		t.Errorf("it wrote %q", c.text("curve"))
	}
}

// TestAlarm: given once when the mean falls below -least, and again only after it was above.
func TestAlarm(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	for i, step := range []struct {
		pages int
		worth string
		want  string // the record of the alarm
	}{
		{100, "0", ""}, // before -after
		{1100, "1", ""},
		{899, "0", ""}, // 0.101 of the last 1,000
		{1, "0", ""},   // 0.1
		{1, "0", "2101\t0.0000\t0.0990\t0.5236\n"},
		{100, "0", ""},
		{101, "1", ""}, // 0.101
		{901, "0", "3203\t0.0000\t0.0990\t0.3750\n"},
	} {
		r := c.harvest("-least 0.1 -after 1000", pages(step.pages, step.worth)...)
		want := step.want
		if want != "" {
			want = header + want
		}
		if got := c.text("stagnant"); got != want || r.Has("count stagnated 1") != (want != "") ||
			strings.Contains(r.Report, "\nnote ") != (want != "") {
			t.Errorf("step %d: %q, want %q; %s", i, got, want, r.Report)
		}
		if want != "" && c.text("tsv") == "" {
			t.Errorf("step %d: no products", i)
		}
	}
}

// TestShow: -show prints curves, and draws several in one picture.
func TestShow(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	c.harvest("-least 0.1", pages(2, "1")...)
	one := c.file("curve")
	c.harvest("-least 0.1", pages(2, "0")...)
	r := stagetest.MustRun(t, tool(), setup, "", "-show", "-svg", c.file("both"), "a<b="+one, "b="+c.file("curve"))
	const want = "# \"a<b\"\n" + header + "1\t1.0000\t1.0000\t1.0000\n2\t1.0000\t1.0000\t1.0000\n# \"b\"\n" + header +
		"1\t1.0000\t1.0000\t1.0000\n2\t1.0000\t1.0000\t1.0000\n3\t0.6667\t0.6667\t0.6667\n4\t0.5000\t0.5000\t0.5000\n"
	if r.Stdout != want {
		t.Errorf("-show prints %q, want %q", r.Stdout, want)
	}
	if svg := c.text("both"); strings.Count(svg, "stroke-width:2") != 4 || !strings.Contains(svg, ">a&lt;b<") ||
		!strings.Contains(svg, ">100 %<") {
		t.Errorf("the picture: %s", svg)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-show", c.file("both")); r.Code != stage.ExitFailed {
		t.Errorf("-show of a picture: exit code %d", r.Code)
	}
}

// TestShowFinds: -show reads standard input, and a pattern that the shell left as it was.
func TestShowFinds(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	c.harvest("-least 0.1", pages(2, "1")...)
	const rows = header + "1\t1.0000\t1.0000\t1.0000\n2\t1.0000\t1.0000\t1.0000\n"
	if r := stagetest.Run(t, tool(), setup, c.text("curve"), "-show"); r.Stdout != rows {
		t.Errorf("of standard input it prints %q", r.Stdout)
	}
	pattern := filepath.Join(c.dir, "*-curve")
	if r := stagetest.Run(t, tool(), setup, "", "-show", "a="+pattern); r.Stdout != "# \"a\"\n"+rows {
		t.Errorf("of %s it prints %q", pattern, r.Stdout)
	}
	c.harvest("-least 0.1", pages(2, "1")...)
	for arg, want := range map[string]string{
		"a=" + filepath.Join(c.dir, "none", "*"): "no page was judged yet",
		filepath.Join(c.dir, "none", "*"):        "no page was judged yet",
		filepath.Join(c.dir, "none"):             "no page was judged yet",
		"-":                                      "no page was judged yet",
		pattern:                                  "2 segments match",
	} {
		r := stagetest.Run(t, tool(), setup, "", "-show", arg)
		if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, want) || r.Stdout != "" {
			t.Errorf("-show %s: exit code %d, %s%s", arg, r.Code, r.Stdout, r.Stderr)
		}
	}
}

// TestPictureScale: the upper edge is the least that holds the mean of 1,000 pages.
func TestPictureScale(t *testing.T) {
	for worth, want := range map[float64]float64{0: 0.1, 0.1: 0.1, 0.11: 0.2, 0.3: 0.5, 0.6: 1, 1: 1} {
		c := newCurve()
		c.add(worth)
		if got := picture([]named{{"", c}}).Y.Max; got != want {
			t.Errorf("a mean of %v: the upper edge is %v, want %v", worth, got, want)
		}
	}
}

func TestFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"-least 2":               "-least",
		"-least NaN":             "-least",
		"-after -1":              "-after",
		"-stagnant s":            "-least",
		"-show -tsv t c":         "-show",
		"-show -curve c":         "-show",
		"-least 0.5 -frobnicate": "frobnicate",
	} {
		r := stagetest.Run(t, tool(), setup, "", strings.Fields(flags)...)
		if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, want) {
			t.Errorf("%s: exit code %d, %s", flags, r.Code, r.Stderr)
		}
	}
}
