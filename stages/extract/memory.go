package main

// memoryFor returns the memory use above which the garbage collector works harder. It is twelve
// times the size of the largest page, which pages built to use much memory reach, plus 16 MiB that
// do not depend on pages.
func memoryFor(maxPage int64) int64 { return 12*min(maxPage, 1<<50) + 16<<20 }
