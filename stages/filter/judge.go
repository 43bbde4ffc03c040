package main

import (
	"bytes"
	"context"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/seen"
)

// portion limits the records that are looked up at a time. Lookups sorted by key are cheap, and the
// more keys are sorted at once, the cheaper. But this many still fit into a processor's cache.
func portion() urlbatch.Portion { return urlbatch.Portion{Records: 64 << 10, Bytes: 4 << 20} }

// config holds the values of the flags.
type config struct {
	list, path, fresh string // files: list of the seen-set's segments, new segment or "", fresh URLs
	known             string // file of the records that are not let through; "": they are not written
	recheck           bool
	visits            string // file of the hosts of which recheck lets no URL pass; "": they are not written
	fetchers          *fetchers
}

// run is one run of the stage. It collects records, looks them up together, and writes the fresh
// ones in input order.
type run struct {
	env   *stage.Env
	seen  *seen.Table
	fresh *urlbatch.Writer
	known *urlbatch.Writer // nil: the records are not written
	keys  []uint64
	came  []int  // records of a portion whose pages have arrived
	text  []byte // buffer for the text of a key

	fetchers *fetchers
	absent   *absent
}

// filter is the whole run.
func filter(ctx context.Context, env *stage.Env, c config) error {
	table, err := seen.Open(c.list, env.Hash)
	if err != nil {
		return err
	}
	defer table.Close()
	r := &run{fetchers: c.fetchers, absent: newAbsent(c.visits), env: env, seen: table,
		fresh: urlbatch.NewWriter(env.Files, c.fresh, env.Report.Out)}
	r.fetchers.open(env)
	if c.known != "" {
		r.known = urlbatch.NewWriter(env.Files, c.known, env.Report.Out)
	}
	judge := r.judge
	if c.recheck {
		judge = r.recheck
	}
	if err := portion().Each(ctx, env.Inputs, env.Stdin, env.Report, judge); err != nil {
		return err
	}
	if err := r.fresh.Close(); err != nil {
		return err
	}
	if r.known != nil {
		if err := r.known.Close(); err != nil {
			return err
		}
	}
	if err := r.fetchers.close(); err != nil {
		return err
	}
	if err := r.absent.write(env, c.visits); err != nil {
		return err
	}
	return table.Save(env.Files, c.path, env.Report)
}

// arrived begins the attributes of a record whose page has arrived. gofer gives such a record no
// other attribute.
const arrived = "\t" + urlbatch.Arrived + "="

// moved ends the attributes of a record that another crawler let through.
const moved = "\t" + urlbatch.Moved + "=1"

// judge writes those of the records that are fresh.
func (r *run) judge(records *urlbatch.Buffer) error {
	r.keys, r.came = r.keys[:0], r.came[:0]
	hash := r.seen.Hash()
	for i := range records.Len() {
		rec := records.Record(i)
		r.keys = append(r.keys, hash.Sum(rec.URLBytes()))
		if bytes.HasPrefix(rec.Attrs(), []byte(arrived)) {
			r.came = append(r.came, i)
		}
	}
	verdicts, err := r.seen.Judge(r.keys)
	if err != nil {
		return err
	}
	came, late := r.came, r.keys[:0] // late: keys of arrived pages whose URLs may still be queued
	var times [3]int64               // number of records with each verdict
	for i, v := range verdicts {
		if len(came) > 0 && came[0] == i {
			if came = came[1:]; v != seen.New {
				rec := records.Record(i)
				late = append(late, r.lateKey(&rec))
			}
			continue
		}
		rec := records.Record(i)
		hasMoved := r.fetchers.me != nil && bytes.HasSuffix(rec.Attrs(), []byte(moved))
		//failpoint:moved-judged hasMoved = false
		if hasMoved {
			rec.Del(urlbatch.Moved)
			r.fetchers.count["moved"]++
		} else if times[v]++; v != seen.New {
			if err := r.writeKnown(&rec); err != nil {
				return err
			}
			continue
		}
		//failpoint:url-lost if bytes.Contains(rec.URLBytes(), []byte("h007.test/d0/00018/")) { continue }
		if r.fetchers.take(i, &rec) {
			continue
		}
		if err := r.fresh.Write(&rec); err != nil {
			return err
		}
	}
	if err := r.fetchers.send(records); err != nil {
		return err
	}
	count := r.env.Report.Reason
	if r.known != nil {
		count = r.env.Report.Count
	}
	count("seen", times[seen.Old])
	count("repeated", times[seen.Repeated])
	r.env.Report.Reason("arrived", int64(len(r.came)))
	_, err = r.seen.Judge(late)
	return err
}

// writeKnown writes a record that is not fresh, where that is wanted.
func (r *run) writeKnown(rec *urlbatch.Record) error {
	if r.known == nil {
		return nil
	}
	rec.Set(urlbatch.Known, "1")
	return r.known.Write(rec)
}

// lateKey returns the second key of a URL, which says that its page arrived after the URL was let
// through.
func (r *run) lateKey(rec *urlbatch.Record) uint64 {
	r.text = append(append(r.text[:0], "arrived "...), rec.URLBytes()...)
	return r.seen.Hash().Sum(r.text)
}

// recheck writes those of the records whose pages have not arrived meanwhile.
func (r *run) recheck(records *urlbatch.Buffer) error {
	r.keys = r.keys[:0]
	for i := range records.Len() {
		rec := records.Record(i)
		r.keys = append(r.keys, r.lateKey(&rec))
	}
	verdicts, err := r.seen.Judge(r.keys)
	if err != nil {
		return err
	}
	var gone int64
	for i, v := range verdicts {
		rec := records.Record(i)
		here := v != seen.Old && !r.fetchers.take(i, &rec)
		r.absent.add(&rec, here)
		switch {
		case v == seen.Old:
			gone++
		case here:
			if err := r.fresh.Write(&rec); err != nil {
				return err
			}
		}
	}
	r.env.Report.Reason("arrived", gone)
	return r.fetchers.send(records)
}
