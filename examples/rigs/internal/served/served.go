// Package served has testweb answer with the pages of a Web that stands still, each of which is nothing
// but its number and its links, so that the programs can crawl what is simulated.
package served

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/web"
)

// A Site is a web that answers.
type Site struct {
	Address string // HOST:PORT, for all hosts

	cmd *exec.Cmd
}

// Start writes the pages of a Web to a new folder and has the program testweb of the folder bin answer with
// them, with more flags. Their URLs are those of advised.Of. Call Close at the end; the folder stays.
func Start(bin, folder string, on *web.Web, flags ...string) (*Site, error) {
	w := advised.Of(on)
	for from, links := range w.Links {
		text := append(strconv.AppendInt(nil, int64(from), 10), '\n')
		for _, to := range links {
			text = append(w.URL(append(text, "<a href="...), to), ">x</a>\n"...)
		}
		file := filepath.Join(folder, on.Pages[from].Host, strconv.Itoa(from)+".html")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text, 0o666)); err != nil {
			return nil, fmt.Errorf("write the pages of a web: %w", err)
		}
	}
	s := &Site{}
	if err := s.start(bin, append([]string{"-root", folder}, flags...)); err != nil {
		s.Close()
		return nil, fmt.Errorf("serve a web: %w", err)
	}
	return s, nil
}

// start starts testweb, and returns when it answers.
func (s *Site) start(bin string, flags []string) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Address = free.Addr().String()
	free.Close()
	s.cmd = exec.Command(filepath.Join(bin, "testweb"), append([]string{"-listen", s.Address}, flags...)...)
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	return err
}

// Close ends it; by then testweb -stats has written its account.
func (s *Site) Close() error {
	if s.cmd == nil || s.cmd.Process == nil {
		return nil
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("end a web: %w", err)
	}
	return nil
}
