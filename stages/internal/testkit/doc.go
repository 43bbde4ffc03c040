// Package testkit is the room of what tests need and no product links: stagetest runs a stage,
// nameserver answers names, forge damages the files of a state, experiment tries the bandwidth rules
// on a simulated network. Every folder of this name holds test support, and a test of manager sees that no product imports it.
package testkit
