package crash

import (
	"os"
	"sync"
	"testing"
)

// Programs are shared by the tests of a package. They are built for the first test that needs them.
type Programs struct {
	Build    func(t testing.TB, dir string, packages ...string) // Build or BuildFaulty
	Packages []string

	once  sync.Once
	dir   string
	built bool
}

// Dir returns the folder that contains the programs. With -short it skips the test, because the
// build alone takes longer than a second.
func (p *Programs) Dir(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	p.once.Do(func() {
		var err error
		if p.dir, err = os.MkdirTemp("", "multitext-programs-"); err != nil {
			t.Fatal(err)
		}
		p.Build(t, p.dir, p.Packages...)
		p.built = true
	})
	if !p.built {
		t.Fatal("the programs were not built; see the first test that needed them")
	}
	return p.dir
}

// Remove removes the programs after all tests have ended.
func (p *Programs) Remove() { os.RemoveAll(p.dir) }
