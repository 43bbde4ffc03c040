// Package peek reads files of queues for pages: the newest files of a queue, the first lines of a
// batch, and all lines that contain some texts. It knows nothing of what the records mean.
//
// Files hold whatever a crawl has met, so everything is bounded: bytes after decompression, lines,
// the length of a line that is shown, and time. A file that unpacks to terabytes costs no more than
// one that does not.
//
// # Which files are opened
//
// Only regular files of a crawl's queues. A name has the form that package txlog gives to batches,
// so it has no "..", and the file is opened beneath the crawl's directory by os.Root. Nothing on
// the way may be a symbolic link, and a pipe or a device is refused without waiting for it.
package peek
