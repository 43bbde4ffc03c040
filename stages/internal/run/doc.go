// Package run is the room of what makes a program a stage: [multitext/stages/internal/run/stage]
// begins and ends a run, output writes files that are whole or absent, report records what a run
// did, keyed hashes with the crawl's secret, suggest and percent help with names and escapes. It
// knows nothing of crawling.
package run
