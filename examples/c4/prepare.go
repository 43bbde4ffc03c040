package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/BurntSushi/toml"
)

// readNodes gives the names in nodes.toml. What else stands there is for the stages.
func readNodes(file string) (names []string, err error) {
	var f struct {
		Node []struct{ Name string }
	}
	if _, err := toml.DecodeFile(file, &f); err != nil {
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	for _, n := range f.Node {
		names = append(names, n.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s names no node", file)
	}
	return names, nil
}

// The pages to train on are of another web than the one that is crawled.
const (
	trainingSeed  = "101"
	trainingPages = "100" // of each topic
)

// train makes the model of the topics, if it is not there yet.
func (o *options) train(ctx context.Context, stderr io.Writer) error {
	model := o.path("topics.model")
	if _, err := os.Stat(model); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir, err := os.MkdirTemp("", "c4-training-")
	if err != nil {
		return fmt.Errorf("train the classifier: %w", err)
	}
	defer os.RemoveAll(dir)
	pages := filepath.Join(dir, "pages")
	for _, argv := range [][]string{
		{"testweb", "-topical", o.path("web.toml"), "-seed", trainingSeed, "-train", pages, trainingPages},
		{"classify", "train", "-model", model, pages},
	} {
		cmd := exec.CommandContext(ctx, filepath.Join(o.bin, argv[0]), argv[1:]...)
		cmd.Stdout, cmd.Stderr = stderr, stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("train the classifier: %s: %w", argv[0], err)
		}
	}
	return nil
}

// startWeb starts the web, and returns when it answers.
func (o *options) startWeb() (end func(), err error) {
	args := []string{"-listen", o.web, "-topical", o.path("web.toml"), "-seed", o.seed, "-stats", o.path("web.json")}
	for _, set := range o.sets {
		args = append(args, "-set", set)
	}
	cmd := exec.Command(filepath.Join(o.bin, "testweb"), args...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = apart
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the web: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the web: %w", err)
	}
	end = func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		end()
		return nil, errors.New("start the web: it did not come up; see above")
	}
	return end, nil
}

// apart keeps a program out of our process group, so that ^C is for us to pass on, and ends it
// when we are gone.
var apart = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
