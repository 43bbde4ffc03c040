package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/sharing/nodes"
)

// An agreement is the name of a file beside the batches for a node. By it the holder says with
// which nodes and model it works:
//
//	agreed-SSSSSSSSSSSS-HHHHHHHHHHHHHHHH
//
// S is the unix seconds since when, H a digest of the model and of the names, labels and hosts in
// nodes.toml, keyed by the secret there. Of several the latest counts. A page belongs to a node
// because a model says so, and only the same model gives the same owner (X4, section 5). So gofer
// compares the digest of each peer with its own before it brings anything. Where they differ, or a
// peer says nothing, all batches stay, and a note says so. While a new nodes.toml is brought to all
// machines nothing is exchanged, and nothing is lost.
type agreement string

var agreementForm = regexp.MustCompile(`^agreed-\d{12}-[0-9a-f]{16}$`)

// parseAgreement tells whether a name is an agreement.
func parseAgreement(name string) (a agreement, ok bool) {
	return agreement(name), agreementForm.MatchString(name)
}

// digest is that of the nodes and the model; "" of no agreement.
func (a agreement) digest() string { return string(a[strings.LastIndexByte(string(a), '-')+1:]) }

// digestOf is the digest of the nodes and of the model in a file; without a model it is of the
// nodes alone.
func digestOf(set *nodes.Set, model string) (string, error) {
	hash := xxhash.New()
	if model != "" {
		f, err := os.Open(model)
		if err != nil {
			return "", fmt.Errorf("digest of the model: %w", err)
		}
		defer f.Close()
		if _, err := io.Copy(hash, f); err != nil {
			return "", fmt.Errorf("digest of the model %s: %w", model, err)
		}
	}
	return fmt.Sprintf("%016x", set.Sum(fmt.Appendf(nil, "%s%016x", set.Owners(), hash.Sum64()))), nil
}

// publish leaves the agreement in the folder for each of the others, in the place of an older one.
func (c *config) publish() error {
	for _, to := range c.peers() {
		folder := c.outgoing + "/" + to.Name
		if err := c.publishIn(folder); err != nil {
			return fmt.Errorf("say in %s with which nodes and model this crawler works: %w", folder, err)
		}
	}
	return nil
}

func (c *config) publishIn(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	var olds []agreement
	for _, e := range entries {
		if a, ok := parseAgreement(e.Name()); ok {
			olds = append(olds, a)
		}
	}
	if len(olds) == 1 && olds[0].digest() == c.digest {
		return nil
	}
	now := fmt.Sprintf("agreed-%012d-%s", max(c.now.Unix(), 0), c.digest)
	file, err := root.OpenFile(now, os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		err = file.Close() // not synced: the next run makes what a power cut takes away
	}
	for _, old := range olds {
		if string(old) != now && err == nil {
			err = root.Remove(string(old))
		}
	}
	return err
}

// disagreement says why nothing is brought from a peer that holds so many batches and has published
// theirs, or no agreement; "": both work alike, or nobody asks.
func disagreement(theirs agreement, ours string, batches int) string {
	switch {
	case ours == "" || batches == 0 || theirs.digest() == ours:
		return ""
	case theirs == "":
		return fmt.Sprintf("%d batches stay there until its gofer says with which nodes.toml and model it works"+
			" (gofer pull -outgoing)", batches)
	}
	since, _ := strconv.ParseInt(string(theirs[len("agreed-"):][:12]), 10, 64)
	return fmt.Sprintf("it has worked with another nodes.toml or another model than this crawler since %s"+
		" (digest %s, here %s): %d batches stay there until both are the same everywhere",
		time.Unix(since, 0).UTC().Format("2006-01-02 15:04 MST"), theirs.digest(), ours, batches)
}
