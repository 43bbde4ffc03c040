package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
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
func startWeb(ctx context.Context, bin, address string, s size, more ...string) (*web, error) {
	flags := append([]string{"-listen", address, "-plain", "-hosts", strconv.Itoa(s.hosts), "-pages",
		strconv.Itoa(s.pages / s.hosts)}, more...)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "testweb"), flags...)
	cmd.Stderr = os.Stderr
	endWithUs(cmd)
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

// ask returns what was counted. By what it is asked, hosts=1 or reset=1, it tells of each host, or
// forgets.
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

// urls is the number of distinct URLs asked for.
func (s *served) urls() (n int) {
	for _, k := range s.Kinds {
		n += k.Distinct
	}
	return n
}

// robots is the number of requests for robots.txt.
func (s *served) robots() int {
	k := s.Kinds["robots.txt"]
	return k.Distinct + k.Repeated
}

// hostsFile is a new file like /etc/hosts, with the hosts of the web.
func hostsFile(hosts int) (string, error) {
	file, err := os.CreateTemp("", "multitext-bench-hosts-")
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(file)
	fmt.Fprintln(w, "127.0.0.1 localhost")
	for i := range hosts {
		fmt.Fprintf(w, "127.0.0.1 h%03d.test\n", i)
	}
	return file.Name(), errors.Join(w.Flush(), file.Chmod(0o644), file.Close())
}
