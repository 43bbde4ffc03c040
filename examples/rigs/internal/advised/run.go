package advised

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A Trial is by what rules advise crawls.
type Trial struct {
	Batch   int    // pages that are fetched before their links are known
	PerHost int    // URLs of a host in a batch at most; 0: any number
	Most    int    // pages that a crawl fetches, up to the end of a batch; 0: all
	Exact   bool   // without classes
	Worths  string // the file of Folder.Judge that advise reads with the links; "": none
	Hubs    int    // with Worths: so many are followed; 0: none
	Secret  string // the file of a crawl that is simulated, whose pause is a millisecond; "": there is none

	Crawlers   int    // that share the pages; 0: one
	By         string // the partition among them, as advise -by has it; "": host
	Owners     string // the file of Folder.Share that says whose a page is, not By; "": there is none
	Others     string // what is done with links to pages of others: send, drop, aside; "": send
	Exchange   int    // pages that all fetch from one exchange of links to the next; 0: each batch has one
	Links      string // which links to a page are sent: each, once, sum; "": each
	Follow     int    // links that are followed at once when they are aside: long crawls where few; 0: one
	Replicated string // the file of Folder.List with pages that all know; "": there is none
}

// A Crawl is one that was made.
type Crawl struct {
	Pages []uint32 // in the order in which they were fetched; one that several crawlers fetched occurs as often
	By    []uint16 // of each of Pages, which crawler fetched it; nil where there is one
	Sent  Counts
}

// Counts are the links to pages of others that were met, as advise -counts has them: how many URLs are sent if
// each is as it is found, if none is sent twice from one exchange to the next, and if none ever is.
type Counts struct {
	Each, Batch, Ever          uint64
	Sums                       uint64 // links that are sent with Links sum, which stand for others
	Messages                   uint64 // batches, from one crawler to another at an exchange
	Dropped, Aside, Replicated uint64 // links that were not sent
}

func (t *Trial) args() []string {
	args := []string{"-fetched", "-urls", strconv.Itoa(t.Batch), "-pages", strconv.Itoa(t.Most), "-crawlers",
		strconv.Itoa(max(t.Crawlers, 1))}
	switch {
	case t.Exact:
		args = append(args, "-exact")
	case t.PerHost > 0:
		args = append(args, "-delay", "1s", "-for", fmt.Sprintf("%d.5s", t.PerHost))
	case t.Secret != "":
		args = append(args, "-delay", "1ms")
	}
	if t.Crawlers > 1 {
		args = append(args, "-counts", "-exchange", strconv.Itoa(t.Exchange), "-follow", strconv.Itoa(max(t.Follow, 1)))
	}
	for name, value := range map[string]string{"-by": t.By, "-owners": t.Owners, "-others": t.Others,
		"-links": t.Links, "-replicated": t.Replicated} {
		if value != "" {
			args = append(args, name, value)
		}
	}
	return args
}

// Run has advise crawl in some orders from the seeds of some draws, at least one of each, and calls do with
// each crawl, which is valid until do returns.
func (f *Folder) Run(t Trial, orders []string, draws []int, do func(draw int, order string, c *Crawl)) error {
	var files []string
	for _, draw := range draws {
		files = append(files, SeedsFile(draw))
	}
	args := append(t.args(), "-order", strings.Join(orders, " "), "-seeds", strings.Join(files, ","), "links")
	if t.Worths != "" {
		args = append([]string{"-hubs", strconv.Itoa(t.Hubs)}, append(args, t.Worths)...)
	}
	cmd := exec.Command(f.program, args...)
	cmd.Dir, cmd.Stderr = f.name, os.Stderr
	if t.Secret != "" {
		cmd.Env = append(os.Environ(), "MT_SECRET="+t.Secret)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	errRead := eachCrawl(out, draws[0], do)
	if errRead != nil {
		cmd.Process.Kill()
	}
	if err := errors.Join(errRead, cmd.Wait()); err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	return nil
}
