package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"multitext/examples/internal/measures"
)

// crawlFolder is the folder of one crawler, FOLDER/crawl/NODE.
type crawlFolder struct {
	bin string // of the programs
	dir string
}

// The stages and queues of c4.toml that are measured, and reasons of classify links.
const (
	fetchStage, pagesStage    = "fetch", "pages"
	pagesQueue, outgoingQueue = "pages", "outgoing"
	sentBefore, summed        = "sent-before", "summed"
	dropped, replicated       = "others", "replicated"
)

// figures asks the manager how the crawl stands.
func (c *crawlFolder) figures(ctx context.Context) (f crawlerFigures, err error) {
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return f, fmt.Errorf("find the folder: %w", err)
	}
	f.Name = filepath.Base(dir)
	script := filepath.Join(dir, "../../c4.toml")
	if _, err := os.Stat(script); err != nil {
		return f, fmt.Errorf("find its script: %w; want the folder of a crawler, FOLDER/crawl/NODE", err)
	}
	var s status
	text, err := c.output(ctx, "manager", "status", "-json", "-var", "node="+f.Name, script)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return f, fmt.Errorf("ask how it stands: %w", err)
	}
	if !s.Begun {
		return f, errors.New("there is no crawl")
	}
	_, fetch := s.stage(fetchStage)
	_, pages := s.stage(pagesStage)
	sent := s.ever(outgoingQueue)
	f.Fetched, f.BytesFetched = s.ever(pagesQueue).Records, fetch["bytes"]
	f.PagesSent, f.URLsSent = pages["sent"], sent.Records-pages["sent"]
	f.BatchesSent, f.BytesSent = sent.Batches, sent.Bytes
	f.SentBefore, f.Summed = s.reason(sentBefore), s.reason(summed)
	f.Dropped, f.Replicated = s.reason(dropped), s.reason(replicated)
	return f, nil
}

// filesAtOnce is how many archive files one run of cdx reads: its index is held in memory.
const filesAtOnce = 100

// pageQueues are the queues of c4.toml in which an answer may be, from the last to the first. One
// that is in the archive may be in unique as well, until extract has read it.
var pageQueues = []string{"archive", "unique", "own", "incoming", "pages"}

// archived adds each answer in the archive, or on its way there, to fetches, and returns their
// number.
func (c *crawlFolder) archived(ctx context.Context, fetches measures.Fetches[string]) (n int64, err error) {
	packed := map[string]int{} // answers in the archive, by second and URL, that were not met in unique
	for _, queue := range pageQueues {
		files, err := filepath.Glob(filepath.Join(c.dir, queue, "*.warc.gz"))
		if err != nil {
			return 0, fmt.Errorf("list its pages: %w", err)
		}
		err = c.answers(ctx, files, func(url, date string) {
			switch {
			case queue == "archive":
				packed[date+url]++
			case queue == "unique" && packed[date+url] > 0:
				packed[date+url]--
				return
			}
			fetches[url]++
			n++
		})
		if err != nil {
			return n, fmt.Errorf("read its pages: %w", err)
		}
	}
	return n, nil
}

// answers calls do with the URL and the timestamp of each answer in some files.
func (c *crawlFolder) answers(ctx context.Context, files []string, do func(url, date string)) error {
	for some := range slices.Chunk(files, filesAtOnce) {
		index, err := c.output(ctx, "cdx", append([]string{"-out", "-"}, some...)...)
		if err != nil {
			return err
		}
		if err := eachAnswer(bytes.NewReader(index), do); err != nil {
			return err
		}
	}
	return nil
}

// eachAnswer calls do with the URL and the timestamp of each line of an index, KEY TIMESTAMP JSON.
func eachAnswer(index io.Reader, do func(url, date string)) error {
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<17) // twice the longest line
	for lines.Scan() {
		var line struct{ URL string }
		fields := bytes.SplitN(lines.Bytes(), []byte(" "), 3)
		if len(fields) != 3 || json.Unmarshal(fields[2], &line) != nil || line.URL == "" {
			return fmt.Errorf("%.100q is no line of an index", lines.Text())
		}
		do(line.URL, string(fields[1]))
	}
	return lines.Err()
}

// output runs a program and returns what it prints.
func (c *crawlFolder) output(ctx context.Context, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, bytes.TrimSpace(said.Bytes()))
	}
	return out, nil
}
