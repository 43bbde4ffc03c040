package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

// answer prints the answer to a request. It searches the log from a generation on.
func (a *Asker) answer(root string, generation uint64, id string) error {
	last, sum, err := answered(root, generation, id)
	if err != nil {
		return err
	}
	if last == nil {
		err := fmt.Errorf("request %s was taken, but no line of the log answers it", id)
		return &crawl.Exit{Code: crawl.ExitDamaged, Err: err}
	}
	return a.tell(last, sum)
}

// answerAgain prints the answer to a request that was answered before. It returns an error if the
// earlier request had the same id but different content.
func (a *Asker) answerAgain(q crawl.Request, last, sum *txlog.Commit, err error) error {
	if err == nil && crawl.Refused(last) == "" {
		err = q.Answers(sum.Outputs)
	}
	if err != nil {
		return err
	}
	a.Say("request " + q.ID + " was answered before; nothing is done twice")
	return a.tell(last, sum)
}

// answered searches for the transactions of a request, from a generation of the log on. last is the
// last transaction, which contains the answer; sum is the sum of all transactions. If there is no
// log or no answer, last is nil.
func answered(root string, generation uint64, id string) (last, sum *txlog.Commit, err error) {
	sum = &txlog.Commit{}
	if id == "" {
		return nil, sum, nil
	}
	_, err = txlog.History(root, txlog.Position{Generation: generation}, func(r txlog.Record) error {
		part, ok := r.(*txlog.Commit)
		if !ok || part.Request != id && part.Part.Name != id {
			return nil
		}
		if part.Request == id {
			last = part
		}
		sum.Tx = cmp.Or(sum.Tx, part.Tx)
		sum.Outputs, sum.Gone = append(sum.Outputs, part.Outputs...), append(sum.Gone, part.Gone...)
		sum.Reset, sum.Forget = append(sum.Reset, part.Reset...), append(sum.Forget, part.Forget...)
		sum.Notes = append(sum.Notes, part.Notes...)
		return nil
	}, nil)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return last, sum, err
}

// tell prints an answer.
func (a *Asker) tell(last, sum *txlog.Commit) error {
	if why := crawl.Refused(last); why != "" {
		return fmt.Errorf("transaction %d: %s", last.Tx, why)
	}
	for _, note := range sum.Notes {
		terminal.Line(a.Out, "%s", note)
	}
	tx := fmt.Sprint("transaction ", last.Tx)
	if sum.Tx != last.Tx {
		tx = fmt.Sprintf("transactions %d to %d", sum.Tx, last.Tx)
	}
	terminal.Line(a.Out, "%s: %s", tx, view.Answer(sum))
	return nil
}

// broken adds the exit code to an error of writing.
func broken(err error) error { return &crawl.Exit{Code: crawl.ExitCode(err), Err: err} }

// fate adds to an error whether its request was carried out or will be carried out.
func fate(id string, state *txlog.State, err error) error {
	switch {
	case crawl.ExitCode(err) != crawl.ExitBroken:
	case id == "":
		err = fmt.Errorf("nothing was done: %w", err)
	case errors.Is(err, txlog.ErrBroken), state == nil:
		err = fmt.Errorf("whether request %s took effect is not known; if it did not, "+
			"the next run or verb carries it out once: %w", id, err)
	case state.Answered(id):
		err = fmt.Errorf("request %s was carried out, and the next run or verb finishes it: %w", id, err)
	default:
		err = fmt.Errorf("request %s stays in the inbox, and the next run or verb carries it out: %w", id, err)
	}
	return broken(err)
}
