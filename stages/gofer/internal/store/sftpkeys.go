package store

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
)

// hostKeys has the known keys of one host. gofer never connects to a host without a key in the
// file, and never accepts another key, because there is no user to ask.
type hostKeys struct {
	file       string
	address    string
	known      []knownhosts.KnownKey
	algorithms []string // algorithms of the known keys, in the order of the file
	callback   ssh.HostKeyCallback
}

func readHostKeys(file, address string) (*hostKeys, error) {
	if file == "" {
		return nil, fmt.Errorf("%w: -known-hosts is missing: name the file with the host's key, as"+
			" ~/.ssh/known_hosts", ErrRefused)
	}
	callback, err := knownhosts.New(file)
	if err != nil {
		return nil, fmt.Errorf("%w: known hosts: %v", ErrRefused, err)
	}
	h := &hostKeys{file: file, address: address, callback: callback}
	// The library returns the keys of a host only in the error for a wrong key.
	wrong, err := ssh.NewPublicKey(make(ed25519.PublicKey, ed25519.PublicKeySize))
	if err != nil {
		return nil, err
	}
	var mismatch *knownhosts.KeyError
	if errors.As(callback(address, &net.TCPAddr{}, wrong), &mismatch) {
		h.known = mismatch.Want
	}
	if len(h.known) == 0 {
		return nil, h.unknown()
	}
	for _, key := range h.known {
		h.algorithms = append(h.algorithms, algorithms(key.Key.Type())...)
	}
	return h, nil
}

// algorithms returns the signature algorithms for a type of key. SHA-1 is left out because it is no
// longer secure.
func algorithms(keyType string) []string {
	if keyType == ssh.KeyAlgoRSA {
		return []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
	}
	return []string{keyType}
}

// check is a ssh.HostKeyCallback.
func (h *hostKeys) check(host string, remote net.Addr, key ssh.PublicKey) error {
	err := h.callback(host, remote, key)
	if err == nil {
		return nil
	}
	var revoked *knownhosts.RevokedError
	if errors.As(err, &revoked) {
		return fmt.Errorf("%w: the key of %s is revoked in %s", ErrRefused, h.address, h.file)
	}
	return fmt.Errorf("%w: %s presents an unknown key, %s %s: %s", ErrRefused, h.address, key.Type(),
		ssh.FingerprintSHA256(key), h.pinned())
}

// pinned returns a text with the expected keys and what to do.
func (h *hostKeys) pinned() string {
	var keys []string
	for _, k := range h.known {
		keys = append(keys, fmt.Sprintf("%s %s (%s:%d)", k.Key.Type(), ssh.FingerprintSHA256(k.Key), k.Filename,
			k.Line))
	}
	return "known keys: " + strings.Join(keys, ", ") +
		"; either the host was reinstalled, or another host pretends to be it:" +
		" ask its administrator before you change the line"
}

func (h *hostKeys) unknown() error {
	host, port, _ := net.SplitHostPort(h.address)
	return fmt.Errorf("%w: %s has no key of %s: add the line that its administrator gives you, or compare his"+
		" fingerprint with that of `ssh-keyscan -p %s %s | ssh-keygen -lf -`",
		ErrRefused, h.file, knownhosts.Normalize(h.address), port, host)
}

// identity has the private key of this side: the key in a file, or the keys of the agent.
type identity struct {
	file   string
	signer ssh.Signer // key in the file
	socket string     // socket of the agent
}

func (i *identity) String() string {
	if i.file != "" {
		return i.file
	}
	return "the agent's keys"
}

func readIdentity(file string) (*identity, error) {
	if file == "" {
		socket := os.Getenv("SSH_AUTH_SOCK")
		if socket == "" {
			return nil, fmt.Errorf("%w: there is no private key: name its file with -identity, or start an agent"+
				" (SSH_AUTH_SOCK)", ErrRefused)
		}
		return &identity{socket: socket}, nil
	}
	info, err := os.Stat(file)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others may read %s (%s): run chmod 600 on it, and consider making a new key", file,
			info.Mode())
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: identity: %v", ErrRefused, err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		return nil, fmt.Errorf("%w: identity %s has a passphrase, for which gofer cannot ask: load it into an"+
			" agent (ssh-add) and remove -identity", ErrRefused, file)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: identity %s: %w", ErrRefused, file, err)
	}
	return &identity{file: file, signer: signer}, nil
}

// prove returns the authentication method for one handshake. Call done after the handshake.
// Requests to the agent end when ctx is done, and after timeout in total, because the agent may
// wait for a user to confirm.
func (i *identity) prove(ctx context.Context, timeout time.Duration) (how ssh.AuthMethod, done func(), err error) {
	if i.signer != nil {
		return ssh.PublicKeys(i.signer), func() {}, nil
	}
	conn, err := (&net.Dialer{Timeout: timeout}).DialContext(ctx, "unix", i.socket)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the agent of SSH_AUTH_SOCK: %v", ErrRefused, err)
	}
	conn.SetDeadline(time.Now().Add(timeout))
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	return ssh.PublicKeysCallback(agent.NewClient(conn).Signers), func() { stop(); conn.Close() }, nil
}
