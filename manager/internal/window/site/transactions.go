package site

import (
	"fmt"
	"net/url"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/txlog"
)

// onePage is how many rows a page has of a long list.
const onePage = 50

// A txRow is a transaction in the list.
type txRow struct {
	*view.Transaction
	Took, Used    string // wall and processor time
	Written       int64  // bytes
	OutputRecords int64
}

// txsPage lists the transactions, the newest first. The form filters them.
func txsPage(l *look) (string, []page.Part, error) {
	q := l.URL.Query()
	filter, wrong := txFilter(q)
	var before *txlog.Position
	if at := q.Get("before"); at != "" {
		before = &txlog.Position{}
		if _, err := fmt.Sscanf(at, "%d.%d", &before.Generation, &before.Records); err != nil {
			return "", nil, notFound("There is no such place in the list of transactions.")
		}
	}
	data := map[string]any{"Base": l.Base, "Now": l.Now, "Share": l.Past.Share(), "Stages": l.StageNames(), "Wrong": wrong,
		"Stage": filter.Stage, "Result": filter.Result, "From": q.Get("from"), "To": q.Get("to"), "First": before == nil}
	if wrong == "" {
		list, next, err := l.Past.List(filter, before, onePage)
		if err != nil {
			return "", nil, err
		}
		data["Rows"], data["Count"] = txRows(list), l.Past.Count(filter)
		if next != nil {
			q.Set("before", fmt.Sprintf("%d.%d", next.Generation, next.Records))
			data["Next"] = l.Base + "tx?" + q.Encode()
		}
		q.Del("before")
		data["Newest"] = l.Base + "tx?" + q.Encode()
	}
	if before == nil && filter.Result == "" {
		data["Runs"] = l.runsOf(filter.Stage)
	}
	var parts []page.Part
	if err := l.part(&parts, "filter", "tx-filter", data); err != nil {
		return "", nil, err
	}
	err := l.part(&parts, "list", "tx-list", data)
	return "Transactions", parts, err
}

// runsOf returns the runs of a stage that have not ended; "" means all stages.
func (l *look) runsOf(stage string) (runs []view.Run) {
	for _, r := range l.Runs {
		if stage == "" || r.Stage == stage {
			runs = append(runs, r)
		}
	}
	return runs
}

// txFilter reads the form. wrong says what is wrong in it.
func txFilter(q url.Values) (f past.Filter, wrong string) {
	f = past.Filter{Stage: q.Get("stage")}
	switch result := q.Get("result"); result {
	case "", "commit", "abort":
		f.Result = result
	default:
		return f, "The result is commit or abort."
	}
	for _, field := range []struct {
		name string
		at   *time.Time
	}{{"from", &f.From}, {"to", &f.To}} {
		text := q.Get(field.name)
		if text == "" {
			continue
		}
		var err error
		for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
			if *field.at, err = time.ParseInLocation(layout, text, time.Local); err == nil {
				break
			}
		}
		if err != nil {
			return f, "The time " + text + " cannot be read. It is written as 2026-01-31T18:30."
		}
	}
	return f, ""
}

func txRows(list []*view.Transaction) (rows []txRow) {
	for _, t := range list {
		rows = append(rows, rowOf(t))
	}
	return rows
}

func rowOf(t *view.Transaction) txRow {
	row := txRow{Transaction: t, Took: "-", Used: "-"}
	if len(t.Command) > 0 {
		row.Took = t.End.Sub(t.Start).Round(time.Millisecond).String()
		row.Used = time.Duration(t.CPU * float64(time.Second)).Round(time.Millisecond).String()
	}
	for _, o := range t.Outputs {
		row.Written += o.Bytes
		if o.Records != nil {
			row.OutputRecords += *o.Records
		}
	}
	return row
}
