package site

import (
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// mostText is the maximum length of a text that is searched, in bytes.
const mostText = 200

// mostFiles is the maximum number of files that are searched, page by page: the newest.
const mostFiles = 500_000

// search returns how much is searched for one page.
func search() peek.Search {
	return peek.Search{Bytes: 1 << 30, Each: 256 << 20, Hits: 50, Per: 20, Until: time.Now().Add(2 * time.Second)}
}

// findPage searches the batches and products of all queues for lines with some texts, the newest
// first.
func findPage(l *look) (string, []page.Part, error) {
	text := l.FormValue("text")
	l.sent.Still, l.sent.Find = true, text
	data := map[string]any{"Text": text, "Base": l.Base, "Long": len(text) > mostText, "From": l.FormValue("before")}
	query := peek.Parse(text)
	if len(query) == 0 || len(text) > mostText {
		var parts []page.Part
		err := l.part(&parts, "found", "find", data)
		return "Find", parts, err
	}
	list := peek.Page{Most: mostFiles}
	complete, err := l.collect(&list, l.QueueNames()...)
	if err != nil {
		return "", nil, err
	}
	files, more := list.Names()
	data["All"] = complete && !more
	if before := txlog.Name(l.FormValue("before")); before != "" {
		begin, _ := slices.BinarySearchFunc(files, before, peek.Newer)
		files = files[begin:]
	}
	l.rest = func(parts *[]page.Part) error {
		found, err := peek.Find(l.Context(), l.Root, files, query, search())
		if err != nil {
			return err
		}
		data["Found"], data["Sums"] = found, sums(l, found)
		if found.Next >= 0 {
			data["Next"], data["Left"] = string(files[found.Next]), len(files)-found.Next
		}
		return l.part(parts, "found", "find", data)
	}
	return "Find", nil, nil
}

// A sum is how much was found in a queue, with what becomes of its records.
type sum struct {
	peek.Tally
	Writers, Readers []string
}

// sums describes the queues in which something was found, by name.
func sums(l *look, found *peek.Found) (all []sum) {
	for _, tally := range found.Tallies {
		s := sum{Tally: tally}
		if q := l.Script.Queue(tally.Queue); q != nil {
			for _, w := range q.Writers {
				s.Writers = append(s.Writers, w.Name)
			}
			for _, r := range q.Readers {
				s.Readers = append(s.Readers, r.Name)
			}
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b sum) int { return strings.Compare(a.Queue, b.Queue) })
	return all
}
