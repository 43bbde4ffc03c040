package main

// names is a set of hosts or extensions. It is asked for many names that are not in it: of most the length
// tells that already.
type names struct {
	set     map[string]bool
	lengths [4]uint64 // bit n: a name has n bytes, modulo 256
}

func newNames() *names { return &names{set: map[string]bool{}} }

func (n *names) add(name string) {
	n.set[name] = true
	n.lengths[len(name)/64%4] |= 1 << (len(name) % 64)
}

func (n *names) has(name []byte) bool {
	return n.lengths[len(name)/64%4]&(1<<(len(name)%64)) != 0 && n.set[string(name)]
}
