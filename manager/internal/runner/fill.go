package runner

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"multitext/manager/internal/proc"
	"multitext/script"
)

// placeholders contains the value of each placeholder of a command line.
type placeholders struct {
	run    *run
	secret []string // as in Store
	values map[string]string
	in     []string
	states []string
}

func (c *runner) placeholders(r *run) (*placeholders, error) {
	st := r.take.Stage
	f := &placeholders{run: r, secret: c.Secret, values: c.constants()}
	f.values["report"] = r.tx.File("report")
	f.values["tx"] = strconv.FormatUint(r.number, 10)
	for _, in := range r.inputs {
		f.in = append(f.in, c.Dir.Path(string(in.Name)))
	}
	for _, read := range st.Read {
		f.values[read.Name] = read.File // replaced below if it is a state
	}
	if st.State != "" {
		f.values[st.State+".new"] = r.tx.Segment(st.State)
	}
	for _, q := range st.Out {
		f.values[q] = r.tx.Output(q, c.Script.Queue(q).Ext)
	}
	return f, c.listStates(r, f)
}

// constants are the placeholders with the same value in every command line.
func (c *runner) constants() map[string]string {
	values := map[string]string{"bandwidth": cmp.Or(c.Script.Limit.Bandwidth, "0")}
	for _, v := range c.Script.Vars {
		values[v.Name] = v.Value
	}
	return values
}

// listStates writes the list of segments of each state that the run reads.
func (c *runner) listStates(r *run, f *placeholders) (err error) {
	for _, read := range statesOf(r.take.Stage) {
		if f.values[read.Name], err = r.tx.List(read.Name, c.state.Segments(read.State)); err != nil {
			return err
		}
		f.states = append(f.states, read.Name)
	}
	return nil
}

// statesOf returns the states that a stage reads, its own first.
func statesOf(st *script.Stage) []script.Read {
	all := append([]script.Read{{Name: st.State, State: st.State}}, st.Read...)
	return slices.DeleteFunc(all, func(read script.Read) bool { return read.State == "" })
}

func (f *placeholders) value(name string) []string {
	if name == "in" {
		return f.in
	}
	return []string{f.values[name]}
}

// briefly returns the command line without the inputs, which the log contains elsewhere.
func (f *placeholders) briefly(name string) []string {
	if name == "in" {
		return []string{"{in}"}
	}
	return f.value(name)
}

// mark returns the entry of the environment that no other run has.
func (f *placeholders) mark() string { return proc.RunMark + f.values["report"] }

// env returns the environment of the stage's program, with the data about the run.
func (f *placeholders) env() []string {
	env := append(proc.Given(f.run.take.Stage.Env), f.secret...)
	env = append(env, "TMPDIR="+f.run.tx.File("tmp"), "MT_TX="+f.values["tx"], f.mark(),
		"MT_IN="+strings.Join(f.in, "\n"))
	for _, q := range f.run.take.Stage.Out {
		env = append(env, "MT_OUT_"+q+"="+f.values[q])
	}
	for _, s := range f.states {
		env = append(env, "MT_STATE_"+s+"="+f.values[s])
		if path := f.values[s+".new"]; path != "" {
			env = append(env, "MT_NEW_"+s+"="+path)
		}
	}
	return env
}
