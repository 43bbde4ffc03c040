// Package script reads the dataflow script of a crawl and checks it.
package script
