// Package classify determines the topic of a document from its terms. It trains classifiers on
// labelled documents and stores them in model files. For each decision it returns a confidence and
// an explanation. It also measures how often the decisions are correct.
//
// Add pages to a [Training] as [Document] values. [Train] then returns a [Model], and
// [Model.Classify] writes its result to a [Ranking]: see the example. [Model.AppendBinary]
// describes model files.
//
// Package classify/terms converts pages to documents, and package classify/language detects their
// language. All three use the same [Document], so a page is split once, and a term is hashed once.
// Package classify/topics arranges topics in a tree, with a [Model] at each inner one.
//
// # One mechanism, five methods
//
// The thesis compares naive Bayes, Lewis' classifier and Rocchio-TFIDF (4.1.4). This package adds
// complement naive Bayes and a linear support vector machine. The five are derived in different
// ways, but all decide in the same way. A document becomes a vector x with a value for each term t
// that the model knows, where n is the number of occurrences of t in the document:
//
//	x(t) = f(n) · scale(t)         f(n) is n, or 1, or log(1+n), depending on the method
//
// and each label c gets a score:
//
//	score(c) = ( bias(c) + Σ x(t)·weight(t,c) ) / ‖x‖
//
// The label with the highest score wins. Of labels with equal scores, the first in order of bytes
// wins. So there is one [Model], one file format, one loop and one explanation. A [Method] only
// computes bias, scale and weight. The length ‖x‖ (Euclidean; 1 if no term is known) is the same
// for all labels and changes no decision. It makes the scores of short and long documents
// comparable. For the same reason each row weight(t,·) is shifted to a mean of 0. A term that the
// model does not know has no effect.
//
// All labels have the same prior probability, as in the thesis (4.2).
//
// # Confidence
//
// The posteriors of naive Bayes are near 0 or 1 even if the decision is wrong, and cosine scores
// are not probabilities. So all methods compute the confidence in the same way: it is the softmax
// of sharpness·score(c). The sharpness is a number in the model. It is fitted on training documents
// that were held out (temperature scaling: Guo et al., "On Calibration of Modern Neural Networks",
// 2017), and minimizes Brier's score of the confidence. So with a confidence of 0.8 a decision is
// correct in about four of five cases, for documents similar to the training documents. The Error
// of a [Summary] shows how far this is from the truth. The confidence of Lewis' method is the least
// reliable, because its scores also grow with the number of absent terms.
//
// # Repeatable
//
// The same training documents always yield the same model file, byte for byte, independent of the
// order in which they were added. This holds on one processor architecture, because another one may
// round a product differently.
package classify
