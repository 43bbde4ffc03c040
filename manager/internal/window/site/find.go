package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// mostText is the maximum length of a text that is searched, in bytes. The search field takes 200
// characters, as browsers count them.
const mostText = 3 * 200

// mostSearched is the maximum number of files that are searched, page by page: the newest.
const mostSearched = 500_000

// search returns how much is searched for one page.
func search() peek.Search {
	return peek.Search{Bytes: 1 << 30, Each: 256 << 20, Hits: 50, Per: 20, Until: time.Now().Add(2 * time.Second)}
}

// small is the size in bytes below which a batch of records is searched before all others.
const small = 1 << 20

// A searched file is late unless it has records and the log says that it is small.
type searched struct {
	txlog.Name
	late bool
}

// recordsFirst puts small batches of records before large ones and before tables, pages and
// pictures, and so lists of URLs before archives and summaries: what became of an address is found
// first. Both stay in the order of names, the newest first.
func (l *look) recordsFirst(names []txlog.Name) []searched {
	files := make([]searched, len(names))
	for i, name := range names {
		b := l.State.Batch(name)
		files[i] = searched{name, b == nil || b.Size >= small || summary(ext(name))}
	}
	slices.SortStableFunc(files, bySize)
	return files
}

func bySize(a, b searched) int {
	switch {
	case a.late == b.late:
		return 0
	case b.late:
		return -1
	}
	return 1
}

// from returns the files from one on, which need not be there any more; "" means all.
func from(files []searched, name string, late bool) []searched {
	if name == "" {
		return files
	}
	begin, _ := slices.BinarySearchFunc(files, searched{txlog.Name(name), late}, func(a, b searched) int {
		return cmp.Or(bySize(a, b), peek.Newer(a.Name, b.Name))
	})
	return files[begin:]
}

func names(files []searched) []txlog.Name {
	names := make([]txlog.Name, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return names
}

// findPage searches the batches and products of all queues for lines with some texts.
func findPage(l *look) (string, []page.Part, error) {
	text := l.URL.Query().Get("text")
	l.sent.Still, l.sent.Find = true, text
	data := map[string]any{"Text": text, "Base": l.Base, "Long": len(text) > mostText, "From": l.URL.Query().Get("before")}
	query := peek.Parse(text)
	if len(query) == 0 || len(text) > mostText {
		var parts []page.Part
		err := l.part(&parts, "found", "find", data)
		return "Find", parts, err
	}
	list := peek.Page{Most: mostSearched}
	complete, err := l.collect(&list, l.QueueNames()...)
	if err != nil {
		return "", nil, err
	}
	newest, more := list.Names()
	data["All"] = complete && !more
	files := from(l.recordsFirst(newest), l.URL.Query().Get("before"), l.URL.Query().Get("late") != "")
	l.rest = func(parts *[]page.Part) error {
		found, err := peek.Find(l.Context(), l.Root, names(files), query, search())
		if err != nil {
			return err
		}
		data["Found"], data["Sums"] = found, sums(l, found)
		if found.Next >= 0 {
			next := files[found.Next]
			data["Next"], data["Late"], data["Left"] = string(next.Name), next.late, len(files)-found.Next
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
