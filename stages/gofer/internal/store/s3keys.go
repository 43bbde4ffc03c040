package store

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"
)

// newService is the service of a bucket with what the environment and the profile say: keys,
// region, authority.
func newService(ctx context.Context, place *s3URL, o Options) (s service, err error) {
	profile := readProfile()
	s = service{timeout: o.timeout(), region: cmp.Or(place.region, os.Getenv("AWS_REGION"),
		os.Getenv("AWS_DEFAULT_REGION"), profile("region"))}
	if s.region == "" && place.endpoint == "" {
		return s, errors.New("in which region? write ?region=… behind it, or set AWS_REGION")
	}
	s.region = cmp.Or(s.region, "us-east-1") // services that have none take this one
	s.base = place.base(s.region)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = o.dial
	if file := cmp.Or(os.Getenv("AWS_CA_BUNDLE"), profile("ca_bundle")); file != "" {
		if transport.TLSClientConfig, err = trust(file); err != nil {
			return s, err
		}
	}
	s.client = &http.Client{
		Transport: transport,
		// A request is signed for one host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.keys, err = readKeys(ctx, s.client)
	return s, err
}

// dial gives connections that do not wait for ever.
func (o Options) dial(ctx context.Context, network, address string) (net.Conn, error) {
	tcp, err := (&net.Dialer{Timeout: o.timeout()}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := &patient{Conn: tcp, timeout: o.timeout()}
	conn.wait(true) // always: an idle one that closes is made anew when it is needed
	return conn, nil
}

// base is the URL of the bucket. One with a dot in its name has no certificate for BUCKET.HOST, and
// a service of one's own mostly has none for any.
func (p *s3URL) base(region string) string {
	if p.endpoint != "" {
		return strings.TrimSuffix(p.endpoint, "/") + "/" + p.bucket
	}
	host := "s3." + region + ".amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		host += ".cn"
	}
	if strings.Contains(p.bucket, ".") {
		return "https://" + host + "/" + p.bucket
	}
	return "https://" + p.bucket + "." + host
}

// readKeys gives the keys of the environment, else those of the profile.
func readKeys(ctx context.Context, client *http.Client) (*credentials.Credentials, error) {
	var provider credentials.Provider = &credentials.EnvAWS{}
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" {
		provider = &credentials.FileAWSCredentials{}
	}
	keys := credentials.New(provider)
	value, err := keys.GetWithContext(&credentials.CredContext{Client: client, Context: ctx})
	if err == nil && (value.AccessKeyID == "" || value.SecretAccessKey == "") {
		err = errors.New("one of the two is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("there are no keys to sign with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"+
			" AWS_PROFILE: %w", err)
	}
	return keys, nil
}

// readProfile gives what else the profile of AWS_PROFILE says in ~/.aws/config; of a file that is
// not there, nothing.
func readProfile() (value func(key string) string) {
	home, _ := os.UserHomeDir()
	file, err := ini.LooseLoad(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")))
	if err != nil {
		return func(string) string { return "" } // as of keys: the error is told where they are missed
	}
	section := "default"
	if name := os.Getenv("AWS_PROFILE"); name != "" && name != section {
		section = "profile " + name
	}
	return func(key string) string { return file.Section(section).Key(key).String() }
}

// trust takes the authorities of a PEM file, and no others.
func trust(file string) (*tls.Config, error) {
	text, err := os.ReadFile(file)
	roots := x509.NewCertPool()
	if err == nil && !roots.AppendCertsFromPEM(text) {
		err = fmt.Errorf("%s holds no PEM certificate", file)
	}
	if err != nil {
		return nil, fmt.Errorf("AWS_CA_BUNDLE: %w", err)
	}
	return &tls.Config{RootCAs: roots}, nil
}
