package main

// memoryFor is where the collector works harder: twelve times the largest page, which is where
// pages made to take much lead, and 24 MiB for what does not grow with a page.
func memoryFor(maxPage int64) int64 { return 12*min(maxPage, 1<<50) + 24<<20 }
