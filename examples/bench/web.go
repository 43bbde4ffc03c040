package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// web is the testweb that all crawl.
type web struct {
	cmd     *exec.Cmd
	address string
}

// served is what the web has counted since it was asked last.
type served struct {
	Kinds map[string]struct {
		Distinct, Repeated int
	}
	Violations int
	Hosts      []struct { // only of /__stats?hosts=1
		Answers int     // robots.txt left out
		Busy    float64 // seconds that these took
	}
}

// startWeb starts testweb on address, with more flags, and returns when it answers.
func startWeb(ctx context.Context, bin, address string, hosts, pagesOfHost int, more ...string) (*web, error) {
	flags := append([]string{"-listen", address, "-plain", "-hosts", strconv.Itoa(hosts), "-pages", strconv.Itoa(pagesOfHost)}, more...)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "testweb"), flags...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the web: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the web: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Wait()
		return nil, fmt.Errorf("start the web: it ended before it answered")
	}
	return &web{cmd, strings.TrimSpace(line)}, nil
}

// stop ends the web and waits for it.
func (w *web) stop() {
	w.cmd.Process.Signal(syscall.SIGTERM)
	w.cmd.Wait()
}

// served returns what was counted, and lets the web forget it.
func (w *web) served() (*served, error) { return w.ask("reset=1") }

// ask returns what was counted. By what it is asked, hosts=1 or reset=1, it tells of each host, or forgets.
func (w *web) ask(query string) (*served, error) {
	resp, err := http.Get("http://" + w.address + "/__stats?" + query)
	if err != nil {
		return nil, fmt.Errorf("ask the web what it has served: %w", err)
	}
	defer resp.Body.Close()
	s := &served{}
	if err := json.NewDecoder(resp.Body).Decode(s); err != nil {
		return nil, fmt.Errorf("read what the web has served: %w", err)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return s, err
}

// answers is the number of all requests answered.
func (s *served) answers() (n int) {
	for _, k := range s.Kinds {
		n += k.Distinct + k.Repeated
	}
	return n
}

// robots is the number of requests for robots.txt.
func (s *served) robots() int {
	k := s.Kinds["robots.txt"]
	return k.Distinct + k.Repeated
}

// writeHosts writes an /etc/hosts for the hosts of the web.
func writeHosts(file string, hosts int) error {
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n")
	for i := range hosts {
		fmt.Fprintf(&b, "127.0.0.1 h%03d.test\n", i)
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
