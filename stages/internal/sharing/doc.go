// Package sharing is the room of several crawlers that share a web: nodes (who they are), partition
// (who owns a URL) and outgoing (batches for the others).
package sharing
