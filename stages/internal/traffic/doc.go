// Package traffic is the room of requests to servers: dial makes connections, exchange asks and
// reads answers, polite spaces the requests to a host, load and bandwidth keep to what a host and
// the line can bear, again says when a URL is tried once more, visits has the record of what a run
// learned of a host.
package traffic
