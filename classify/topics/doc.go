// Package topics classifies documents into a tree of topics, as the classifier of the focused
// crawler does (Chakrabarti, van den Berg and Dom, "Focused crawling: a new approach to
// topic-specific Web resource discovery", 1999, section 3.1).
//
// A Tree has a root, which stands for all documents, and topics below it. A topic with topics below
// it is an inner topic, any other one is a leaf. A Model has a classify.Model at the root and at
// each inner topic, which divides the documents of that topic among its children. The probability
// of a topic c for a document d is
//
//	Pr(root|d) = 1
//	Pr(c|d)    = Pr(parent|d) · Pr(c|d, parent)
//
// Pr(c|d, parent) is the confidence of the parent's classify.Model. So it is calibrated: it is
// fitted on held-out documents of the parent, whatever the method. An only child has the
// probability 1. Model.Judge computes the logarithms of all Pr(c|d); the work is proportional to
// the document's length times the topics. Of the leaves of a tree, and of the topics at any one
// depth with the leaves above them, exactly one is right, and their probabilities add up to 1.
//
// # Relevance
//
// Whoever wants documents of some topics marks them as good (Tree.Good). The relevance of a
// document is
//
//	R(d) = Σ over the good topics c   Pr(c|d)
//
// No good topic lies below another, so R is a probability. The best leaf of a document is the most
// probable one. It need not lie at or below the topic that is most probable among its siblings.
// Propose tells which topics to mark, from examples.
//
// A classifier always chooses. A document of a subject that is in no topic gets some leaf, too. So
// the tree needs topics for what is not wanted: some hundred pages of all kinds under one topic
// will do.
//
// # Training documents
//
// A document belongs to one topic. Those of a leaf teach all models above it. A document may belong
// to an inner topic, if it fits none of its leaves: it teaches the models above that topic, but not
// the topic's own model, which would have no child for it. Each leaf needs a document.
//
// # Limits
//
// A tree has at most 4,096 topics, and a topic is at most 16 levels below the root. A name is 1 to
// 255 bytes of UTF-8 without control characters and commas, and unique in the tree. Topics are
// numbered from 1 as they are visited with parents first and siblings in order of bytes; the root
// is number 0. So the topics below a topic have the numbers after its own.
//
// The same documents and the same tree yield the same file, byte for byte: see Model.AppendBinary.
package topics
