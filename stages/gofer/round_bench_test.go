package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
	"multitext/stages/internal/run/stage"
)

// A square is sixteen crawlers that hold batches for each other, 240 pairs, and where they hold
// them.
type square struct {
	*testing.B
	dir    string
	names  []string
	home   func(from, to string) string // where one of them holds batches for another, as it sees that itself: a URL
	reach  store.Options
	rounds int
}

// newSquare makes one whose batches lie at home, and are seen by the others there, below a host
// say.
func newSquare(b *testing.B, home func(dir, from, to string) string, there func(home string) string,
	reach store.Options) *square {
	s := &square{B: b, dir: b.TempDir(), reach: reach}
	s.home = func(from, to string) string { return home(s.dir, from, to) }
	for i := range 16 {
		s.names = append(s.names, fmt.Sprintf("n%02d", i))
	}
	text := crewOf(there(s.home("$FROM", "$TO")), s.names...)
	if err := os.WriteFile(filepath.Join(s.dir, "nodes.toml"), []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	return s
}

// hold leaves a batch of twenty pages of 20 KB at each pair, and returns the bytes of all.
func (s *square) hold() (bytesHeld int64) {
	s.rounds++
	for _, from := range s.names {
		noise := make([]byte, 50_000)
		rand.NewChaCha8([32]byte{byte(s.rounds), from[1], from[2]}).Read(noise)
		text := fmt.Sprintf("%x", noise) // which packing halves
		var urls []string
		for i := range 20 {
			urls = append(urls, fmt.Sprintf("http://%s.test/%d/%d", from, s.rounds, i))
		}
		batch := pageBatchOf(s, func(url string) string { return url + text[:20_000] }, urls...)
		name := fmt.Sprintf("%016x-%012d-00001.warc.gz", xxhash.Sum64(batch), s.rounds)
		for _, to := range s.names {
			if from == to {
				continue
			}
			s.leave(s.home(from, to), name, batch)
			bytesHeld += int64(len(batch))
		}
	}
	return bytesHeld
}

// leave leaves a batch at a place, a folder of this machine or a bucket.
func (s *square) leave(place, name string, batch []byte) {
	if folder, ok := strings.CutPrefix(place, "file:"); ok {
		err := os.MkdirAll(folder, 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), batch, 0o666)
		}
		if err != nil {
			s.Fatal(err)
		}
		return
	}
	b, err := store.OpenBucket(context.Background(), place, store.Options{})
	if err == nil {
		defer b.Close()
		err = b.Put(context.Background(), name, bytes.NewReader(batch), int64(len(batch)))
	}
	if err != nil {
		s.Fatal(err)
	}
}

// round lets all sixteen come at once, each with the ledger of its last rounds.
func (s *square) round() {
	s.rounds++
	var all sync.WaitGroup
	for _, me := range s.names {
		all.Go(func() {
			at := func(name string) string { return filepath.Join(s.dir, fmt.Sprintf("%s-%d-%s", me, s.rounds, name)) }
			ledger := filepath.Join(s.dir, me+"-ledger")
			args := []string{"-nodes", filepath.Join(s.dir, "nodes.toml"), "-node", me, "-pages", at("pages.warc.gz"),
				"-new", at("segment"),
				"-ledger", ledger, "-report", at("report"), "-identity", s.reach.Identity, "-known-hosts",
				s.reach.KnownHosts}
			var said strings.Builder
			v := pullVerb()
			if code := stage.Run(context.Background(), v.Tool, v.Setup, args, nil, io.Discard,
				&said); code != stage.ExitDone {
				s.Errorf("%s: exit %d: %s", me, code, said.String())
			}
			report, err := os.ReadFile(at("report"))
			if err != nil || strings.Contains(string(report), "\nnote ") {
				s.Errorf("%s: %v: %s", me, err, report)
			}
			if _, err := os.Stat(at("segment")); err == nil {
				file, err := os.OpenFile(ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
				if err == nil {
					fmt.Fprintln(file, at("segment"))
					err = file.Close()
				}
				if err != nil {
					s.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkRound times rounds of 240 pairs over each transport: one that brings a batch of some 220
// KB from each, one that removes them, and one that finds nothing.
func BenchmarkRound(b *testing.B) {
	folder := func(dir, from, to string) string { return "file:" + dir + "/" + from + "/outgoing/" + to }
	same := func(home string) string { return home }
	for name, start := range map[string]func(b *testing.B) *square{
		"file": func(b *testing.B) *square { return newSquare(b, folder, same, store.Options{}) },
		"sftp": func(b *testing.B) *square {
			d := servertest.StartSSHD(b)
			there := func(home string) string { return d.URL(strings.TrimPrefix(home, "file:")) }
			return newSquare(b, folder, there, store.Options{Identity: d.Identity, KnownHosts: d.KnownHosts})
		},
		"s3": func(b *testing.B) *square {
			servertest.SetKeys(b)
			v := servertest.StartVersity(b)
			bucket := func(_, from, to string) string { return servertest.S3URL(v.Address(), "to/"+to+"/from/"+from) }
			return newSquare(b, bucket, same, store.Options{})
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.Run("full", func(b *testing.B) {
				s := start(b)
				for b.Loop() {
					b.StopTimer()
					b.SetBytes(s.hold())
					b.StartTimer()
					s.round()
					b.StopTimer()
					s.round()
					b.StartTimer()
				}
			})
			b.Run("removing", func(b *testing.B) {
				s := start(b)
				for b.Loop() {
					b.StopTimer()
					s.hold()
					s.round()
					b.StartTimer()
					s.round()
				}
			})
			b.Run("empty", func(b *testing.B) {
				s := start(b)
				for b.Loop() {
					s.round()
				}
			})
		})
	}
}
