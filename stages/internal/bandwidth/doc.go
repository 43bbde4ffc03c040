// Package bandwidth keeps a crawl to its share of the network.
package bandwidth
