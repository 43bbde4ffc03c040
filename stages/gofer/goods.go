package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// Goods write one kind of batches to an output. Batches are not trusted, so a batch is checked
// completely before any of it is added. Errors contain the name of the batch.
type goods interface {
	// check reads every record of a batch. An error other than that of ctx says why the batch is
	// unfit.
	check(ctx context.Context, name string, src io.Reader) error

	// add adds the records of a checked batch of a peer, and returns their number.
	add(ctx context.Context, peer, name string, src io.Reader) (records int64, err error)

	// close closes the output.
	close() error
}

// bounds has the limits for fetched batches, in bytes.
type bounds struct {
	cut   int64 // approximate size of a part of the output
	pages int64 // decompressed size of a page batch, which may be a thousand times its compressed size
	urls  int64 // decompressed size of a URL batch
}

// pageGoods joins page batches. It copies the compressed members unchanged, except the member with
// the attributes, to which it adds the peer. This is the member of the request, if there is one.
type pageGoods struct {
	bounds
	out     *warc.Writer
	encoder warc.Encoder
	arrived *urlbatch.Writer // for the URLs of the pages; nil without -arrived
}

func newPageGoods(env *stage.Env, path, arrived string, b bounds) *pageGoods {
	g := &pageGoods{bounds: b, out: warc.NewWriter(env.Files, path, env.Report.Out)}
	if arrived != "" {
		g.arrived = urlbatch.NewWriter(env.Files, arrived, env.Report.Made)
	}
	return g
}

// maxInfo is the maximum size of a compressed warcinfo record, in bytes. It is written again at the
// start of each part.
const maxInfo = 64 << 10

func (g *pageGoods) check(ctx context.Context, name string, src io.Reader) error {
	var size int64
	var info []byte
	_, err := eachPage(ctx, name, src, func(r *warc.Reader, a *warc.Answer) error {
		if !bytes.Equal(info, r.Info()) { // it will be written at the start of a part
			if info = r.Info(); len(info) > maxInfo {
				return fmt.Errorf("%s: warcinfo record of %d bytes, more than %d", name, len(info), maxInfo)
			}
			if err := warc.Verify(ctx, "-", bytes.NewReader(info)); err != nil {
				return fmt.Errorf("%s: warcinfo record: %w", name, err)
			}
		}
		if err := a.Verify(); err != nil {
			return err
		}
		block, err := a.Block()
		if err != nil {
			return err
		}
		request, err := a.RequestBlock()
		if size += int64(len(block) + len(request)); size > g.pages {
			return fmt.Errorf("%s: its pages have more than %d bytes together", name, g.pages)
		}
		return err
	})
	return err
}

func (g *pageGoods) add(ctx context.Context, peer, name string, src io.Reader) (int64, error) {
	return eachPage(ctx, name, src, func(r *warc.Reader, a *warc.Answer) error {
		if g.out.Size() >= g.cut {
			if err := g.out.Cut(); err != nil {
				return err
			}
		}
		g.out.Info(r.Info())
		packed, err := g.packed(a, peer)
		if err == nil {
			err = g.out.Write(packed)
		}
		if err != nil || g.arrived == nil {
			return err
		}
		rec := urlbatch.New(a.URL())
		rec.Set(urlbatch.Arrived, "1")
		return g.arrived.Write(rec)
	})
}

// packed returns the members of an answer, with the attribute peer set and without the attribute
// owner. Only this crawler may set these.
func (g *pageGoods) packed(a *warc.Answer, peer string) (warc.Packed, error) {
	return g.encoder.WithRecord(a, func(rec *urlbatch.Record) {
		rec.Del(urlbatch.Owner)
		rec.Set(urlbatch.Peer, peer)
	})
}

func (g *pageGoods) close() error {
	if g.arrived == nil {
		return g.out.Close()
	}
	return errors.Join(g.out.Close(), g.arrived.Close())
}

// eachPage calls do with every answer of a batch and returns their number.
func eachPage(ctx context.Context, name string, src io.Reader,
	do func(*warc.Reader, *warc.Answer) error) (n int64, err error) {
	r := warc.NewReader(name, src)
	defer r.Close()
	return each(ctx, r.Next, func(a *warc.Answer) error { return do(r, a) })
}

// each calls do with every value that next returns before io.EOF, and returns their number.
func each[T any](ctx context.Context, next func() (T, error), do func(T) error) (n int64, err error) {
	for ; ctx.Err() == nil; n++ {
		one, err := next()
		if err == io.EOF {
			return n, nil
		}
		if err == nil {
			err = do(one)
		}
		if err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// urlGoods joins URL batches.
type urlGoods struct {
	bounds
	out  *urlbatch.Writer
	size int64 // size of the lines in the open part
}

func newURLGoods(env *stage.Env, path string, b bounds) *urlGoods {
	return &urlGoods{bounds: b, out: urlbatch.NewWriter(env.Files, path, env.Report.Out)}
}

func (g *urlGoods) check(ctx context.Context, name string, src io.Reader) error {
	_, err := g.each(ctx, name, src, func(*urlbatch.Record) error { return nil })
	return err
}

func (g *urlGoods) add(ctx context.Context, _, name string, src io.Reader) (int64, error) {
	return g.each(ctx, name, src, func(rec *urlbatch.Record) error {
		if g.size >= g.cut {
			g.size = 0
			if err := g.out.Cut(); err != nil {
				return err
			}
		}
		rec.Del(ours()...)
		g.size += int64(len(rec.Line())) + 1
		return g.out.Write(rec)
	})
}

// ours returns the attributes that only stages of this crawler may set: a pin, the number of
// failures, the capture to compare with, and those by which frontier takes a record for a visit, a
// judgement or a link to a known URL. If another crawler could set them, a URL might be retried for
// ever or never fetched.
func ours() []string {
	return []string{urlbatch.Arrived, urlbatch.Peer, urlbatch.Addr, urlbatch.Until, urlbatch.Delay, urlbatch.Owner,
		urlbatch.Tries, urlbatch.Outages, urlbatch.Cut, urlbatch.Back, urlbatch.Since, urlbatch.Held, urlbatch.Reason,
		urlbatch.ETag, urlbatch.Modified, urlbatch.Date, urlbatch.Visit, urlbatch.Asked, urlbatch.Worth,
		urlbatch.Known}
}

func (g *urlGoods) close() error { return g.out.Close() }

// each calls do with every record of a batch and returns their number. A line that is not a record
// is an error.
func (g *urlGoods) each(ctx context.Context, name string, src io.Reader,
	do func(*urlbatch.Record) error) (n int64, err error) {
	r, err := urlbatch.NewReader(name, src)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	r.MaxSize = g.urls
	return each(ctx, r.Next, do)
}
