// Package testkit is the room of what tests need and no product links: stagetest runs a stage, sites are real
// pages, experiment tries the bandwidth rules on a simulated network.
package testkit
