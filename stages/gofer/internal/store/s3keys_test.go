package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

func TestS3Base(t *testing.T) {
	for _, c := range []struct {
		place  s3URL
		region string
		want   string
	}{
		{s3URL{bucket: "crawl"}, "eu-central-1", "https://crawl.s3.eu-central-1.amazonaws.com"},
		{s3URL{bucket: "my.crawl"}, "eu-central-1", "https://s3.eu-central-1.amazonaws.com/my.crawl"},
		{s3URL{bucket: "crawl"}, "cn-north-1", "https://crawl.s3.cn-north-1.amazonaws.com.cn"},
		{s3URL{bucket: "crawl", endpoint: "https://s3.example.org:9000/"}, "x", "https://s3.example.org:9000/crawl"},
	} {
		if got := c.place.base(c.region); got != c.want {
			t.Errorf("%+v in %s: %s, want %s", c.place, c.region, got, c.want)
		}
	}
}

// TestS3Profile holds that keys and region are those of the profile where the environment has none.
func TestS3Profile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config": "[default]\nregion = eu-west-1\n[profile crawl]\nregion = eu-central-1\n",
		"credentials": "[default]\naws_access_key_id = a\naws_secret_access_key = b\n[crawl]\naws_access_key_id =" +
			" c\naws_secret_access_key = d\naws_session_token = e\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		env               map[string]string
		key, token, where string
	}{
		{nil, "a", "", "eu-west-1"},
		{map[string]string{"AWS_PROFILE": "crawl"}, "c", "e", "eu-central-1"},
		{map[string]string{"AWS_PROFILE": "crawl", "AWS_REGION": "us-west-2"}, "c", "e", "us-west-2"},
		{map[string]string{"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y", "AWS_SESSION_TOKEN": "z"}, "x",
			"z", "eu-west-1"},
	} {
		for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID",
			"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CA_BUNDLE"} {
			t.Setenv(name, c.env[name])
		}
		t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
		t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
		s, err := newService(t.Context(), &s3URL{bucket: "crawl"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		keys, err := s.keys.GetWithContext(&credentials.CredContext{Client: s.client})
		if err != nil || keys.AccessKeyID != c.key || keys.SessionToken != c.token || s.region != c.where {
			t.Errorf("%v: key %s, token %q, region %s, %v", c.env, keys.AccessKeyID, keys.SessionToken, s.region, err)
		}
	}
}
