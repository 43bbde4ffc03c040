package runner

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/proc"
	"multitext/script"
)

// readyWithin is the time in which a service must become ready.
const readyWithin = time.Minute

// errToldToStop means that a signal arrived before a service was ready.
var errToldToStop = errors.New("told to stop")

// A service is a helper process of the run.
type service struct {
	*script.Service
	process *proc.Process
	done    chan struct{}
}

// serviceEnded is the event that a service ended too early.
type serviceEnded struct {
	name string
	exit string
}

func (ev *serviceEnded) handle(c *runner) error {
	if c.stopping == "" {
		c.stop(fmt.Sprintf("service %s ended by itself (%s)", ev.name, ev.exit), crawl.ExitStopped)
	}
	return nil
}

// startServices starts the services in the script's order. It starts each when the one before it is
// ready.
func (c *runner) startServices(signals <-chan os.Signal) error {
	for _, s := range c.Script.Services {
		said, err := c.startService(signals, s)
		if errors.Is(err, errToldToStop) {
			c.signalled()
			return nil
		}
		if err != nil {
			return &crawl.Exit{Code: crawl.ExitBad, Err: fmt.Errorf("service %s: %w", s.Name, err)}
		}
		c.out.Line(strings.TrimSuffix("service "+s.Name+" is ready: "+said, ": "))
	}
	return nil
}

// startService starts a service and waits until it is ready. It returns the line by which the
// service said so.
func (c *runner) startService(signals <-chan os.Signal, s *script.Service) (said string, err error) {
	out, in, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer in.Close()
	values := c.constants()
	mark := proc.ServiceMark + c.Dir.Path(s.Name) // the path is unique, because the directory has only one manager
	p, err := proc.Start(proc.Spec{Argv: s.Argv(func(name string) []string { return []string{values[name]} }),
		Dir: c.Script.Folder, Env: append(proc.Given(s.Env), mark), Stdout: in, Stderr: os.Stderr,
		Mark: mark, Lock: c.Dir.File()})
	if err != nil {
		out.Close()
		return "", err
	}
	sv := &service{Service: s, process: p, done: make(chan struct{})}
	c.services = append(c.services, sv)
	gone := make(chan string, 1)
	go func() {
		result, _ := p.Wait()
		gone <- result.Exit
		close(sv.done)
	}()
	if said, err = ready(signals, s.Ready, out, gone); err != nil {
		return "", err
	}
	go c.watchService(sv, gone)
	return said, nil
}

// watchService tells the loop when a service ends too early.
func (c *runner) watchService(sv *service, gone <-chan string) {
	select {
	case exit := <-gone:
		select {
		case c.events <- &serviceEnded{sv.Name, exit}:
		case <-c.ending:
		}
	case <-c.ending:
	}
}

// mostSaid is how much of the first line of a service is printed, in bytes.
const mostSaid = 200

// ready waits for the service's first line, which it returns, or until its address accepts
// connections. It reads and discards later output, so that the service never blocks.
func ready(signals <-chan os.Signal, address string, out *os.File, gone chan string) (said string, err error) {
	first := make(chan string, 1)
	go func() {
		defer out.Close()
		in := bufio.NewReader(out)
		line, err := in.ReadSlice('\n')
		said := string(bytes.TrimSpace(line[:min(len(line), mostSaid)]))
		for errors.Is(err, bufio.ErrBufferFull) { // a long first line counts, too
			_, err = in.ReadSlice('\n')
		}
		if err == nil {
			first <- said
		}
		io.Copy(io.Discard, in)
	}()
	deadline := time.After(readyWithin)
	for {
		line := first
		var poll <-chan time.Time
		if address != "" {
			line, poll = nil, time.After(50*time.Millisecond)
		}
		select {
		case said := <-line:
			return said, nil
		case <-poll:
			if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
				return "", conn.Close()
			}
		case exit := <-gone:
			gone <- exit
			return "", fmt.Errorf("it ended (%s) before it was ready", exit)
		case <-deadline:
			return "", fmt.Errorf("it was not ready after %s", readyWithin)
		case <-signals:
			return "", errToldToStop
		}
	}
}

// endServices stops the services last, in the reverse order of their start.
func (c *runner) endServices() {
	close(c.ending)
	for i := len(c.services) - 1; i >= 0; i-- {
		c.services[i].process.End(grace)
		<-c.services[i].done
	}
}
