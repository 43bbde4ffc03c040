package store_test

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/storetest"
)

func open(t *testing.T, rawURL string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), rawURL, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFolder(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		dir := filepath.Join(t.TempDir(), "outgoing", "arts")
		return storetest.Place{
			Open:  func(t *testing.T) store.Store { return open(t, "file://"+dir) },
			Plant: func(t *testing.T, name string, content []byte) { plant(t, dir, name, content) },
		}
	})
}

func plant(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil && strings.HasSuffix(name, "/") {
		err = os.Mkdir(path, 0o777)
	} else if err == nil {
		err = os.WriteFile(path, content, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Links out of the folder, pipes and folders under the name of a batch are neither listed nor read.
func TestNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	plant(t, filepath.Dir(secret), "secret", []byte("x"))
	plant(t, dir, "inside", []byte("x"))
	err := errors.Join(os.Symlink(secret, filepath.Join(dir, "link")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666), os.Mkdir(filepath.Join(dir, "folder"), 0o777))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, "file:"+dir)
	for e, err := range s.List(t.Context()) {
		if err != nil || e.Name != "inside" {
			t.Errorf("listed: %v, %v", e, err)
		}
	}
	for _, name := range []string{"link", "pipe", "folder"} {
		if r, err := s.Open(t.Context(), name); err == nil {
			t.Errorf("%s was opened", name)
			r.Close()
		}
	}
}

// A place that is a link to another's folder is not entered.
func TestFolderIsLink(t *testing.T) {
	dir := t.TempDir()
	plant(t, filepath.Join(dir, "ours"), "name", []byte("x"))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "peer"), 0o777), os.Symlink("../ours",
		filepath.Join(dir, "peer", "world"))); err != nil {
		t.Fatal(err)
	}
	s := open(t, "file:"+filepath.Join(dir, "peer", "world"))
	for e, err := range s.List(t.Context()) {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("listed: %v, %v", e, err)
		}
	}
	if r, err := s.Open(t.Context(), "name"); err == nil {
		r.Close()
		t.Error("a file in it was opened")
	}
	if err := s.Remove(t.Context(), "name"); err == nil {
		t.Error("a file in it was removed")
	}
	if left, err := os.ReadDir(filepath.Join(dir, "ours")); err != nil || len(left) != 1 || left[0].Name() != "name" {
		t.Errorf("%v, %v", left, err)
	}
}

// A place that is not there yet is listed as not there. One that was removed and made anew is seen.
func TestFolderComesAndGoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, (&url.URL{Scheme: "file", Path: dir}).String())
	for _, err := range s.List(t.Context()) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("list: %v, want fs.ErrNotExist", err)
		}
	}
	for range 2 {
		plant(t, dir, "name", []byte("x"))
		r, err := s.Open(t.Context(), "name")
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r)
		r.Close()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder that may not be entered is refused, not gone and not unreachable.
func TestFolderRefused(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may enter every folder")
	}
	dir := t.TempDir()
	os.Chmod(dir, 0)
	defer os.Chmod(dir, 0o777)
	for _, err := range open(t, "file:"+dir).List(t.Context()) {
		if !errors.Is(err, store.ErrRefused) {
			t.Errorf("list: %v, want ErrRefused", err)
		}
	}
}

func TestURLs(t *testing.T) {
	for rawURL, want := range map[string]string{
		"":                          "want file:",
		"/tmp/x":                    "want file:",
		"ftp://host/x":              "want file:",
		"file:":                     "the path of a folder is missing",
		"file://host/x":             "want file:path or file:///path",
		"file:/x?y":                 "want file:path or file:///path",
		"file:a%zz":                 "invalid URL escape",
		"sftp://me:secret@host/x":   "remove the password from the URL",
		"file://me:secret@/x":       "remove the password from the URL",
		"sftp://me:se\x01cret@host": "cannot be parsed",
	} {
		s, err := store.Open(t.Context(), rawURL, store.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, %v; want an error with %q", rawURL, s, err, want)
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	plant(t, filepath.Join(dir, "a b", "c"), "x", nil)
	for _, rawURL := range []string{"file:a%20b/c", "file:./a b/c", "file://" + dir + "/a%20b/c", "file://localhost" +
		dir + "/a b/c"} {
		if names, err := listed(t.Context(), open(t, rawURL)); err != nil || !slices.Equal(names, []string{"x"}) {
			t.Errorf("%s: %q, %v", rawURL, names, err)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range storetest.HostileNames() {
		if store.CheckName(name) == nil {
			t.Errorf("%.40q is let through", name)
		}
	}
	for _, name := range []string{"a", "0", "a.b", "a-_.", strings.Repeat("a", store.MaxName)} {
		if err := store.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
