package store

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// s3URL has the parts of a URL s3://bucket/prefix/?endpoint=…&region=….
type s3URL struct {
	bucket   string
	prefix   string // "", or ends with a slash
	endpoint string // "" means Amazon
	region   string // "" means the region of the environment or the profile
}

// where returns the place in the form for messages.
func (p *s3URL) where() string {
	at := ""
	if p.endpoint != "" {
		at = " at " + p.endpoint
	}
	return "s3://" + p.bucket + "/" + p.prefix + at
}

// parseS3 rejects unknown parameters, because they might be secrets. No message contains their
// values.
func parseS3(u *url.URL) (*s3URL, error) {
	where := "place s3://" + u.Hostname() + u.Path
	if u.User != nil {
		return nil, fmt.Errorf("%s: do not write keys into a URL: they come from the environment (AWS_ACCESS_KEY_ID,"+
			" AWS_SECRET_ACCESS_KEY) or the profile (AWS_PROFILE, ~/.aws/credentials)", where)
	}
	if u.Host == "" || u.Port() != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s: want s3://BUCKET/PREFIX/?endpoint=https://…&region=…", where)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("%s: the part after ? cannot be parsed", where)
	}
	for key, values := range query {
		if !slices.Contains([]string{"endpoint", "region"}, key) || len(values) != 1 {
			return nil, fmt.Errorf("%s: %.40q after ?: want only endpoint and region, each once, and never a secret",
				where, key)
		}
	}
	p := &s3URL{bucket: u.Host, prefix: strings.Trim(u.Path, "/"), endpoint: query.Get("endpoint"),
		region: query.Get("region")}
	if p.prefix != "" {
		p.prefix += "/"
	}
	if p.endpoint != "" {
		err = checkEndpoint(p.endpoint)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	return p, nil
}

// checkEndpoint requires https, or this machine. On an unencrypted connection others could read and
// change batches.
func checkEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("the endpoint is not the URL of a service: want https://HOST[:PORT]")
	}
	if u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()) {
		return nil
	}
	return fmt.Errorf("the endpoint %s://%s: want https; http is only for addresses of this machine", u.Scheme, u.Host)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
