// Package programs finds the programs that a script names. It also lets the stages check their
// arguments, and lists the programs that verify files.
package programs

import (
	"os"
	"os/exec"
	"path/filepath"

	"multitext/script"
)

// Finder returns a function that looks for a program in the manager's own folder, then in the
// script's folder, then on PATH. A name with a slash is relative to the script's folder.
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
		places := []string{filepath.Join(folders[0], program), filepath.Join(folders[1], program), program}
		switch {
		case filepath.IsAbs(program):
			places = places[2:]
		case filepath.Base(program) != program:
			places = places[1:2]
		}
		for _, place := range places {
			if path, err := exec.LookPath(place); err == nil {
				return path, nil
			}
		}
		return "", programsIn(folders)
	}, nil
}

// programsIn returns the names of programs that a misspelt name may have meant.
func programsIn(folders []string) (names []string) {
	for _, dir := range folders {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if _, err := exec.LookPath(filepath.Join(dir, e.Name())); err == nil {
				names = append(names, e.Name())
			}
		}
	}
	return names
}
