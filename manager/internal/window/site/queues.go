package site

import (
	"slices"
	"strings"

	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// queuesPage lists all queues.
func queuesPage(l *look) (string, []page.Part, error) {
	var parts []page.Part
	err := l.part(&parts, "queues", "queues", map[string]any{"Queues": l.Queues(), "Base": l.Base, "Now": l.Now})
	return "Queues", parts, err
}

// A batchRow is a file in the list of a queue. Only a live batch is known to the log.
type batchRow struct {
	Name    txlog.Name
	Short   string // the name within the queue
	Link    string
	TxLink  string
	Live    bool
	Read    string
	Owes    []string
	Trouble bool // it failed for some reader
	view.Batch
}

// queuePage lists the batches of a queue, the newest first.
func queuePage(l *look) (string, []page.Part, error) {
	name := l.PathValue("queue")
	all := l.Queues()
	i := slices.IndexFunc(all, func(q view.Queue) bool { return q.Name == name })
	if i < 0 {
		return "", nil, notFound("The crawl has no queue of this name.")
	}
	list := peek.Page{Most: onePage, After: txlog.Name(l.URL.Query().Get("before"))}
	complete, err := l.collect(&list, name)
	if err != nil {
		return "", nil, err
	}
	data := map[string]any{"Q": all[i], "Base": l.Base, "Now": l.Now, "Files": list.Count, "All": complete,
		"First": list.After == ""}
	if q := l.Script.Queue(name); q != nil {
		data["Script"] = q
	}
	files, more := list.Names()
	var rows []batchRow
	for _, file := range files {
		rows = append(rows, l.batchRow(file))
	}
	if data["Rows"] = rows; more {
		data["Next"] = string(files[len(files)-1])
	}
	var parts []page.Part
	if err := l.part(&parts, "queue", "queue", data); err != nil {
		return "", nil, err
	}
	err = l.part(&parts, "batches", "queue-batches", data)
	return "Queue " + name, parts, err
}

func (l *look) batchRow(name txlog.Name) batchRow {
	row := batchRow{Name: name, Short: strings.TrimPrefix(string(name), name.Queue()+"/"),
		Link: l.batchLink(name), TxLink: l.txLink(name.Tx())}
	if row.Batch, row.Live = l.Batch(name); !row.Live {
		return row
	}
	row.Read = strings.Join(row.Batch.Read, ", ")
	for _, o := range row.Batch.Owes {
		row.Owes = append(row.Owes, o.Text(l.Now))
		row.Trouble = row.Trouble || o.Failures > 0
	}
	return row
}
