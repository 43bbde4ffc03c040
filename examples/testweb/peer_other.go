//go:build !linux

package main

import "net"

// peerClosed cannot tell here; a connection counts until its end is read.
func peerClosed(net.Conn) bool { return false }
