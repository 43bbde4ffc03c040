package exchange

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// Trust is the TLS configuration of a client that trusts the certificates in the PEM file at path
// beside the system's. It is nil, which trusts the system's alone, if path is empty.
func Trust(path string) (*tls.Config, error) {
	if path == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read -ca: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a system without any
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read -ca: %s holds no PEM certificate", path)
	}
	return &tls.Config{RootCAs: roots}, nil
}
