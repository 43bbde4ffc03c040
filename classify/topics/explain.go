package topics

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"multitext/classify"
)

// Explain writes to w why a document is judged as it is: from the root down to the best leaf, how
// probable each topic is, and at most n terms for each decision.
func (m *Model) Explain(w io.Writer, d *classify.Document, n int) error {
	var j Judgement
	m.Judge(d, &j)
	best := j.Best()
	var b bytes.Buffer
	for depth := range m.Tree.depth[best] {
		topic, _ := m.Tree.Above(best, depth)
		below, _ := m.Tree.Above(best, depth+1)
		fmt.Fprintf(&b, "\n%s below %s: Pr(c|d) = %.4f · %.4f = %.4f\n", classify.Plain(m.Tree.names[below]),
			title(m.Tree, topic), j.Probability(topic), math.Exp(j.Log[below]-j.Log[topic]), j.Probability(below))
		if m.at[topic] == nil {
			fmt.Fprintln(&b, "  it is the only one there")
			continue
		}
		if err := m.at[topic].Explain(d, n).Print(&b); err != nil {
			return err
		}
	}
	_, err := b.WriteTo(w)
	return err
}

// title returns what a topic is called in a text.
func title(t *Tree, topic int) string {
	if topic == Root {
		return "the root"
	}
	return classify.Plain(t.names[topic])
}
