package warc

import "multitext/stages/internal/run/output"

// Writer writes answers to the parts of one output; its methods beside Info and Write are those of
// [output.Writer].
type Writer struct{ *output.Writer }

// NewWriter returns a Writer of the output whose first part is path ("-": standard output). done is
// told of every part with its number of answers; usually it is Report.Out.
func NewWriter(files *output.Run, path string, done output.Done) *Writer {
	return NewPartsWriter(files.Parts(path), done)
}

// NewPartsWriter is NewWriter for an output whose parts are given.
func NewPartsWriter(parts *output.Parts, done output.Done) *Writer {
	return &Writer{output.NewWriter(parts, done, nil)} // members are compressed already
}

// Info makes member, a warcinfo record from Encoder.Info or Reader.Info, the beginning of every
// part created from now on. The Writer keeps member.
func (w *Writer) Info(member []byte) { w.Begin(member) }

// Write appends an answer to the part that is open, or creates the next.
func (w *Writer) Write(p Packed) error { return w.Append(p.Response, p.Request) }
