package main

// memoryFor is where the collector works harder: twelve times the largest page, which is where
// pages made to take much lead, but no less than 128 MiB, with which it would hardly rest.
func memoryFor(maxPage int64) int64 { return max(12*min(maxPage, 1<<50), 128<<20) }
