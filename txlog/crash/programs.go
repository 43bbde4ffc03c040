package crash

import (
	"os"
	"sync"
	"testing"
)

// Programs are shared by the tests of a package, and built for the first that asks for them.
type Programs struct {
	Build    func(t testing.TB, dir string, packages ...string) // Build or BuildFaulty
	Packages []string

	once  sync.Once
	dir   string
	built bool
}

// Dir is the folder that they lie in. With -short it skips the test, because the build alone takes
// longer than a second.
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

// Remove removes them, once all tests have ended.
func (p *Programs) Remove() { os.RemoveAll(p.dir) }
