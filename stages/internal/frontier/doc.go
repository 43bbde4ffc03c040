// Package frontier is the room of the URLs that wait: waiting keeps them and composes batches, order
// says in which order they are handed out, centrality ranks pages by the links between them, webgraph
// keeps the graph of those that a crawl knows, keeper has the run of a stage that does so.
package frontier
