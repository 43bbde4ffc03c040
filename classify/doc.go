// Package classify decides the topic of a document from its terms: it trains classifiers on
// labelled documents, keeps them in model files, says how sure it is and why, and measures how
// often it is right.
//
//	var training classify.Training
//	var page classify.Document
//	page.Read(splitter.HTML(body))
//	training.Add("sport", &page)             // and so on for every page
//	model, err := classify.Train(&training, classify.Options{Method: classify.NaiveBayes{Smoothing: 1}})
//
//	var ranking classify.Ranking
//	model.Classify(&page, &ranking)
//	ranking.Topics[0].Label                  // where the page belongs
//
// How a page becomes terms is the affair of classify/terms, how its language is known that of classify/language. All three
// look at the same [Document], so that a page is split once, and a term hashed once.
//
// # One mechanism, five methods
//
// The thesis compares naive Bayes, Lewis' classifier and Rocchio-TFIDF (4.1.4); complement naive
// Bayes and a linear support vector machine stand beside them. Differently as they are derived,
// all five decide in the same way. A document becomes a vector x with a value for each term t
// that the model knows, n being how often t occurs in it:
//
//	x(t) = f(n) · scale(t)         f(n) is n, or 1, or log(1+n), as the method wants it
//
// and each label c gets a score:
//
//	score(c) = ( bias(c) + Σ x(t)·weight(t,c) ) / ‖x‖
//
// The highest wins; among equals the label that comes first in order of bytes. So there is one
// [Model], one file format, one loop that must be fast and one explanation, and a [Method] is
// only a way to find bias, scale and weight. The length ‖x‖ (Euclidean; 1 where no term is
// known) is the same for all labels and changes no decision: it makes scores of short and long
// documents comparable. For the same reason each row weight(t,·) is moved to a mean of 0. A
// term that no model knows counts for nothing.
//
// All labels have the same prior probability, as in the thesis (4.2).
//
// # Confidence
//
// The posteriors of naive Bayes are near 0 or 1 whatever the truth, and scores of a cosine are
// no probabilities at all. So confidence is made in one way for all methods: the softmax of
// sharpness·score(c). The sharpness is a number of the model, fitted on training documents that
// were held out (temperature scaling: Guo et al., "On Calibration of Modern Neural Networks",
// 2017): it is the one under which Brier's score of the confidence is least. So a confidence of
// 0.8 means, on documents like those of the training, right about four times of five. How
// near that comes [Summary] says (Error). Lewis' is the least reliable: his scores grow with
// what is absent, not only with the document.
//
// # Repeatable
//
// The same training documents give the same model file, byte for byte, in whatever order they
// were added, on one processor architecture (others may round a product differently).
//
// # Format, version 1
//
// All integers are little-endian, floats IEEE 754.
//
//	header   32 bytes:
//	           "mtclassm"
//	           uint32       version = 1
//	           uint32       f(n): 0 is n, 1 is 1, 2 is log(1+n)
//	           uint32       K, the labels: 1 to 4,096
//	           uint32       N, the terms
//	           float64      sharpness, positive and finite
//	strings  each uint8 length, then as many bytes, 1 at least:
//	           the name of the method
//	           K labels, strictly ascending
//	           N terms, strictly ascending
//	scale    N × float32
//	bias     K × float32
//	weight   N × K × float32, term by term
//	footer   uint64 XXH64 (seed 0) of all before it
//
// No float of scale, bias and weight is beyond ±10^9. Nothing follows the footer, and a file has at most 256 MiB. A reader
// refuses a version that it does not know. testdata/v1 holds a model of each method, kept for ever.
package classify
