package main

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"time"
	"unicode"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"multitext/stages/internal/formats/chart"
)

//go:embed page.html
var pageText string

// page returns the page: one file without scripts, and without references to others.
func (w *whole) page() ([]byte, error) {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return nil, err
	}
	pictures, err := w.pictures()
	if err != nil {
		return nil, err
	}
	from, to, ok := w.bounds()
	data := map[string]any{"Sentences": w.sentences(), "Tables": w.tablesOf(), "Pictures": pictures}
	if ok {
		data["From"], data["To"] = from.Format(time.DateTime), to.Format(time.DateTime)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return []byte(strings.Map(visible, b.String())), nil
}

// visible replaces characters that do not show, or that reverse the direction of text.
func visible(c rune) rune {
	if c != '\n' && (unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp)) {
		return unicode.ReplacementChar
	}
	return c
}

// sentences say what matters most.
func (w *whole) sentences() []string {
	answers := w.answers()
	out := []string{fmt.Sprintf("%d answers from %d hosts.", answers, w.Hosts-w.Unmet)}
	if answers == 0 && w.Fresh == 0 {
		return append(out, "No URL was to be fetched yet. Why URLs went no further is below.")
	}
	if w.Waiting == 0 {
		out = append(out, "Nothing waits: each URL that was to be fetched has an answer, was refused or given up.")
		if longest := w.Longest.first(); len(longest) > 0 {
			slow := longest[0]
			if last := longest[len(longest)-1]; w.Hosts == int64(len(longest)) && last.Took > slow.Took*3/4 {
				return append(out, fmt.Sprintf("All hosts took about as long, up to %s each, an answer every %s.",
					slow.Took.Round(time.Second/10), slow.Pause.Round(time.Millisecond)))
			}
			out = append(out, fmt.Sprintf("The host that took longest is %s: %s for %d answers, one every %s.", slow.Name,
				slow.Took.Round(time.Second/10), slow.Answers, slow.Pause.Round(time.Millisecond)))
		}
		return out
	}
	out = append(out, fmt.Sprintf("%d URLs of %d hosts wait.", w.Waiting, w.WaitingHosts))
	if slow := w.Slowest.first()[0]; slow.Left > 0 {
		out = append(out, fmt.Sprintf("The slowest host is %s: its %d URLs need %s, one every %s.", slow.Name, slow.Waiting,
			slow.Left.Round(time.Second), slow.Pause.Round(time.Millisecond)))
	} else {
		out = append(out, fmt.Sprintf("The pause of no host that waits is known yet; the most URLs, %d, wait for %s.",
			slow.Waiting, slow.Name))
	}
	return out
}

// A shown picture of the page.
type shown struct {
	Title  string
	Source template.URL
}

// pictures draws the tables that are clearer so.
func (w *whole) pictures() (out []shown, err error) {
	for _, p := range []struct {
		title string
		rows  []*row
		name  func(string) string
	}{
		{"answers by day", w.kinds[kindDay], nil},
		{"answers by size", w.numeric(kindSize), sizeName},
		{"answers by depth", w.numeric(kindDepth), nil},
	} {
		if len(p.rows) < 2 {
			continue
		}
		source, err := bars(p.title, p.rows, p.name)
		if err != nil {
			return nil, err
		}
		out = append(out, shown{p.title, source})
	}
	return out, nil
}

// mostBars is the maximum number of bars of a picture; the last ones are drawn.
const mostBars = 60

// bars draws the answers of rows as bars.
func bars(title string, rows []*row, name func(string) string) (template.URL, error) {
	rows = rows[max(0, len(rows)-mostBars):]
	values, names := make(plotter.Values, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		values[i] = float64(r.n[colAnswers])
		if len(rows) > 12 && i%(len(rows)/12+1) != 0 {
			continue // there is no room for all names
		}
		if names[i] = r.name; name != nil {
			names[i] = strings.TrimPrefix(name(r.name), "below ")
		}
	}
	p := chart.New(title)
	drawn, err := plotter.NewBarChart(values, vg.Points(560/float64(len(rows)+4)))
	if err != nil {
		return "", err
	}
	drawn.Color, drawn.LineStyle.Width = chart.Color(0), 0
	p.Add(drawn)
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.6, float64(len(rows))-0.4 // whole bars at both ends
	var b bytes.Buffer
	if err := chart.Write(&b, 220, p); err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// bytesText writes a size: "4 KiB".
func bytesText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
