// Package programs finds the programs that a script names, lets them check their arguments, and
// knows which of them verify files.
package programs

import (
	"os"
	"os/exec"
	"path/filepath"

	"multitext/script"
)

// Finder looks for programs beside the manager, then in the script's folder,
// then on PATH. A name with a slash is relative to the script's folder.
func Finder(scriptPath string) (script.Finder, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(scriptPath)
	if err != nil {
		return nil, err
	}
	folders := []string{filepath.Dir(self), filepath.Dir(abs)}
	return func(program string) (string, []string) {
		if filepath.Base(program) != program {
			if !filepath.IsAbs(program) {
				program = filepath.Join(folders[1], program)
			}
			if executable(program) {
				return program, nil
			}
			return "", nil
		}
		for _, dir := range folders {
			if path := filepath.Join(dir, program); executable(path) {
				return path, nil
			}
		}
		if path, err := exec.LookPath(program); err == nil {
			return path, nil
		}
		return "", executables(folders)
	}, nil
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// executables are the names that may have been meant by a misspelt one.
func executables(folders []string) (names []string) {
	for _, dir := range folders {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if executable(filepath.Join(dir, e.Name())) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}
