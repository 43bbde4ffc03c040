package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// A reader opens the page at an address, its files in dir, and keeps it open. What it returns
// closes the page and says what CPU time the reader took. followPage only reads what comes for the
// page; openPage is a browser that also draws it, and takes its share of the processors for that.
type reader func(ctx context.Context, dir, address string) (closed func() time.Duration, err error)

// windowed are multitext with a page of its window open beside.
func (o *options) windowed() (all []*crawler) {
	add := func(name string, read reader) {
		c := ours(name, o.bin, o.script, "crawl.toml")
		c.beside = func(ctx context.Context, dir, web string) (func() (beside, error), error) {
			return openWindow(ctx, filepath.Join(o.bin, "window"), dir, web, read)
		}
		all = append(all, c)
	}
	add("window", followPage)
	if browser, err := exec.LookPath("chromium"); err == nil {
		add("chromium", func(ctx context.Context, dir, address string) (func() time.Duration, error) {
			return openPage(ctx, browser, dir, address)
		})
	}
	return all
}

// beside is what processes took that ran beside a crawl.
type beside struct{ window, reader time.Duration }

// openWindow starts the window on the crawl in dir, and has its first page read. What is returned
// ends both.
func openWindow(ctx context.Context, program, dir, web string, read reader) (func() (beside, error), error) {
	cmd := command(ctx, dir, []string{program, "-var", "web=" + web, filepath.Join(dir, "crawl.toml")})
	said := &tail{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the window: %w", err)
	}
	end := func() error { cmd.Process.Signal(syscall.SIGTERM); return cmd.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, ok := strings.Cut(strings.TrimSpace(line), " on ")
	if err != nil || !ok {
		end()
		return nil, fmt.Errorf("the window does not say where it is, but %q; it said\n%s", line, said)
	}
	closed, err := read(ctx, dir, address)
	if err != nil {
		end()
		return nil, fmt.Errorf("open the page %s: %w; the window said\n%s", address, err, said)
	}
	return func() (beside, error) {
		took := beside{window: cpuOf(cmd.Process.Pid), reader: closed()}
		end()
		if took.window == 0 {
			return took, fmt.Errorf("the window took no time at all; it said\n%s", said)
		}
		return took, nil
	}, nil
}

// part is a part of a page, and the sum of what is in it: a page that is live names those that it
// shows.
var part = regexp.MustCompile(`<div class="part" id="([^"]*)" data-sum="([^"]*)">`)

// followPage has the page that address leads to, and then all that comes for it.
func followPage(ctx context.Context, _, address string) (func() time.Duration, error) {
	resp, err := http.Get(address)
	if err != nil {
		return nil, err
	}
	html, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, m := range part.FindAllSubmatch(html, -1) {
		parts = append(parts, string(m[1])+"."+string(m[2]))
	}
	page := resp.Request.URL
	events := *page
	events.Path = "/events"
	events.RawQuery = url.Values{"page": {page.EscapedPath()}, "parts": {strings.Join(parts, ",")}}.Encode()
	ctx, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, events.String(), nil)
	if err == nil {
		resp, err = http.DefaultClient.Do(req)
	}
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	over := make(chan struct{})
	go func() {
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		close(over)
	}()
	select { // a page that the window does not keep live ends at once
	case <-over:
		cancel()
		return nil, errors.New("nothing comes for the page")
	case <-time.After(time.Second):
	}
	return func() time.Duration { cancel(); <-over; return 0 }, nil
}

// openPage has a browser without a screen open the page, its profile in dir.
func openPage(ctx context.Context, browser, dir, address string) (func() time.Duration, error) {
	cmd := command(ctx, dir, []string{browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-dev-shm-usage",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--remote-debugging-port=0", address}) // with the port, it stays
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	took := func() (all time.Duration) {
		for _, pid := range descendants(cmd.Process.Pid, nil) {
			all += cpuOf(pid)
		}
		return all
	}
	started := calm(took)
	return func() time.Duration {
		all := took() - started
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		return all
	}, nil
}

// calm waits for what takes CPU time to have started and be calm, half a minute at most, and
// returns the time that this took.
func calm(took func() time.Duration) (started time.Duration) {
	const look = 500 * time.Millisecond
	for range 60 {
		before := started
		time.Sleep(look)
		if started = took(); before > 0 && started-before < look/10 {
			break
		}
	}
	return started
}
