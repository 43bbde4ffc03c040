package servertest

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Bucket is the one that the services here begin with.
const Bucket = "crawl"

// The keys of all services here; nothing but a test's folder is behind them.
const (
	accessKey = "testaccess"
	secretKey = "testsecret"
)

// S3URL is the place of a prefix in the service at an address.
func S3URL(address, prefix string) string {
	return "s3://" + Bucket + "/" + prefix + "/?endpoint=http://" + address
}

// SetKeys sets the keys of the services here in the test's environment, and hides all others.
func SetKeys(t testing.TB) {
	t.Helper()
	for _, variable := range KeyVariables() {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}

// KeyVariables are what SetKeys sets, each NAME=VALUE.
func KeyVariables() []string {
	return []string{
		"AWS_ACCESS_KEY_ID=" + accessKey,
		"AWS_SECRET_ACCESS_KEY=" + secretKey,
		"AWS_SESSION_TOKEN=",
		"AWS_PROFILE=",
		"AWS_REGION=",
		"AWS_CA_BUNDLE=",
		"AWS_ENDPOINT_URL=",
		"AWS_CONFIG_FILE=" + os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
		"NO_PROXY=127.0.0.1,localhost",
	}
}

// Versity is an S3 service of its own over a folder: versitygw, which keeps its promises when it is
// killed.
type Versity struct {
	process
	Dir string // a bucket is a folder in it, an object a file
}

// StartVersity starts a service with one empty bucket.
func StartVersity(t testing.TB) *Versity {
	t.Helper()
	program, err := look("versitygw", filepath.Join(build.Default.GOPATH, "bin"))
	if err != nil {
		t.Skipf("%v: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 (two minutes)", err)
	}
	v := &Versity{Dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(v.Dir, Bucket), 0o777); err != nil {
		t.Fatal(err)
	}
	v.address = freeAddress(t)
	v.command = func() *exec.Cmd {
		return exec.Command(program, "--access", accessKey, "--secret", secretKey, "--port", v.address, "--quiet",
			"posix", v.Dir)
	}
	v.Start(t)
	t.Cleanup(v.Kill)
	return v
}

// Address is where the service listens.
func (v *Versity) Address() string { return v.address }
