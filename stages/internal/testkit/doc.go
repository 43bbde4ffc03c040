// Package testkit contains packages for tests: stagetest runs a stage, nameserver is a DNS server,
// committed keeps the segments of a state, forge damages its files, experiment tests the bandwidth
// rules on a simulated network.
// Every folder with this name has test support only. A test in manager checks that no program
// imports it.
package testkit
