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

// newService returns the service of a bucket, with keys, region and authority from the environment
// and the profile.
func newService(ctx context.Context, place *s3URL, o Options) (s service, err error) {
	profile := readProfile()
	s = service{timeout: o.timeout(), region: cmp.Or(place.region, os.Getenv("AWS_REGION"),
		os.Getenv("AWS_DEFAULT_REGION"), profile("region"))}
	if s.region == "" && place.endpoint == "" {
		return s, errors.New("the region is missing: add ?region=… to the URL, or set AWS_REGION")
	}
	s.region = cmp.Or(s.region, "us-east-1") // services without regions accept this one
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
		// A redirect would lead to another host, but a request is signed for one host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.keys, err = readKeys(ctx, s.client)
	return s, err
}

// dial returns connections with a timeout for silence.
func (o Options) dial(ctx context.Context, network, address string) (net.Conn, error) {
	tcp, err := (&net.Dialer{Timeout: o.timeout()}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := &patient{Conn: tcp, timeout: o.timeout()}
	conn.wait(true) // always: an idle connection that closes is replaced when needed
	return conn, nil
}

// base returns the URL of the bucket. It does not use BUCKET.HOST if the name of the bucket
// contains a dot, because there is no certificate for such a host. Most private services have no
// certificate for any BUCKET.HOST.
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

// readKeys returns the keys from the environment, else the keys from the profile.
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

// readProfile returns a function for the other values of the profile AWS_PROFILE in ~/.aws/config.
// If the file does not exist, all values are empty.
func readProfile() (value func(key string) string) {
	home, _ := os.UserHomeDir()
	file, err := ini.LooseLoad(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")))
	if err != nil {
		return func(string) string { return "" } // a missing value is reported where it is needed
	}
	section := "default"
	if name := os.Getenv("AWS_PROFILE"); name != "" && name != section {
		section = "profile " + name
	}
	return func(key string) string { return file.Section(section).Key(key).String() }
}

// trust returns a configuration that trusts only the authorities in a PEM file.
func trust(file string) (*tls.Config, error) {
	text, err := os.ReadFile(file)
	roots := x509.NewCertPool()
	if err == nil && !roots.AppendCertsFromPEM(text) {
		err = fmt.Errorf("%s has no PEM certificate", file)
	}
	if err != nil {
		return nil, fmt.Errorf("AWS_CA_BUNDLE: %w", err)
	}
	return &tls.Config{RootCAs: roots}, nil
}
