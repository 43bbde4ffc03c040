package segment

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestVerifyFile(t *testing.T) {
	keys, values := filepath.Join("testdata", "v2", "keys.seg"), filepath.Join("testdata", "v2", "values.seg")
	seen := 0
	count := func(value []byte) (string, error) {
		seen++
		return "", nil
	}
	refuse := func(value []byte) (string, error) {
		if len(value) == 0 {
			return "", errors.New("no entry of mine")
		}
		return "", nil
	}
	itself := func(value []byte) (string, error) { return string(value), nil }
	for name, c := range map[string]struct {
		path  string
		entry func([]byte) (string, error)
		want  string
	}{
		"keys":            {keys, nil, ""},
		"values":          {values, count, ""},
		"short keys":      {filepath.Join("testdata", "v2", "short.seg"), nil, ""},
		"values for keys": {values, nil, "of another state"},
		"keys for values": {keys, count, "of another state"},
		"a wrong entry":   {values, refuse, "entry 0000000000000008: no entry of mine"},
		"a wrong key":     {values, itself, "entry of \"seven\", whose key is"},
		"stdin":           {"-", nil, "name its file"},
		"missing":         {"nowhere", nil, "no such file"},
	} {
		err := VerifyFile(c.path, nil, c.entry)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if want := len(goldens()["v2/values"].Keys); seen != want {
		t.Errorf("%d entries were judged, want %d", seen, want)
	}
}
