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

// An agreement is the name of a file beside the batches for a node. It says which nodes and model
// the holder of the batches uses:
//
//	agreed-SSSSSSSSSSSS-HHHHHHHHHHHHHHHH
//
// S is the time in unix seconds from which the holder has used them. H is a digest of the model and
// of what nodes.toml says of owners (nodes.Set.Owners), keyed by the secret in nodes.toml. If there
// are several agreements, the latest counts. The model decides which node owns a page, and only the
// same model gives the same owner (X4, section 5). So gofer compares the digest of each peer with
// its own before it fetches anything. If they differ, or a peer has no agreement, all batches stay,
// and a note says so. While a new nodes.toml is being copied to all machines, nothing is exchanged,
// and nothing is lost.
type agreement string

var agreementForm = regexp.MustCompile(`^agreed-\d{12}-[0-9a-f]{16}$`)

// parseAgreement returns the agreement with this name; ok reports whether it is one.
func parseAgreement(name string) (a agreement, ok bool) {
	return agreement(name), agreementForm.MatchString(name)
}

// digest returns the digest of the nodes and the model, or "" if there is no agreement.
func (a agreement) digest() string { return string(a[strings.LastIndexByte(string(a), '-')+1:]) }

// digestOf returns the digest of the nodes and of the model file. If model is "", it is the digest
// of the nodes alone.
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

// publish writes the agreement to the folder of each other node. It replaces an older one.
func (c *config) publish() error {
	for _, to := range c.peers() {
		folder := c.outgoing + "/" + to.Name
		if err := c.publishIn(folder); err != nil {
			return fmt.Errorf("write to %s which nodes and model this crawler uses: %w", folder, err)
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
		err = file.Close() // not synced: the next run restores it after a power cut
	}
	for _, old := range olds {
		if string(old) != now && err == nil {
			err = root.Remove(string(old))
		}
	}
	return err
}

// disagreement returns why nothing is fetched from a peer that holds this number of batches. theirs
// is the agreement of the peer, or "". disagreement returns "" if both digests are equal or nothing
// is compared.
func disagreement(theirs agreement, ours string, batches int) string {
	switch {
	case ours == "" || batches == 0 || theirs.digest() == ours:
		return ""
	case theirs == "":
		return fmt.Sprintf("%d batches stay there until its gofer publishes which nodes.toml and model it uses"+
			" (gofer pull -outgoing)", batches)
	}
	since, _ := strconv.ParseInt(string(theirs[len("agreed-"):][:12]), 10, 64)
	return fmt.Sprintf("it has used another nodes.toml or another model than this crawler since %s"+
		" (digest %s, here %s): %d batches stay there until both are the same everywhere",
		time.Unix(since, 0).UTC().Format("2006-01-02 15:04 MST"), theirs.digest(), ours, batches)
}
