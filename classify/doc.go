// Package classify decides the topic of a document from its terms: it trains classifiers on
// labelled documents, keeps them in model files, says how sure it is and why, and measures how
// often it is right.
//
// A page is added to a [Training] as a [Document], [Train] makes a [Model] of it, and
// [Model.Classify] writes its judgement to a [Ranking]: see the example. Model files are described
// at [Model.AppendBinary].
//
// Package classify/terms turns pages into documents, and package classify/language tells their
// language. All three look at the same [Document], so that a page is split once, and a term hashed
// once.
//
// # One mechanism, five methods
//
// The thesis compares naive Bayes, Lewis' classifier and Rocchio-TFIDF (4.1.4); complement naive
// Bayes and a linear support vector machine are added. They are derived in different ways, but all
// five decide in the same way. A document becomes a vector x with a value for each term t that the
// model knows, where n is how often t occurs in it:
//
//	x(t) = f(n) · scale(t)         f(n) is n, or 1, or log(1+n), depending on the method
//
// and each label c gets a score:
//
//	score(c) = ( bias(c) + Σ x(t)·weight(t,c) ) / ‖x‖
//
// The highest wins; among equals the label that comes first in order of bytes. So there is one
// [Model], one file format, one loop and one explanation, and a [Method] is only a way to find
// bias, scale and weight. The length ‖x‖ (Euclidean; 1 where no term is known) is the same for all
// labels and changes no decision: it makes scores of short and long documents comparable. For the
// same reason each row weight(t,·) is moved to a mean of 0. A term that no model knows counts for
// nothing.
//
// All labels have the same prior probability, as in the thesis (4.2).
//
// # Confidence
//
// The posteriors of naive Bayes are near 0 or 1 whatever the truth, and scores of a cosine are no
// probabilities at all. So confidence is made in one way for all methods: the softmax of
// sharpness·score(c). The sharpness is a number of the model, fitted on training documents that
// were held out (temperature scaling: Guo et al., "On Calibration of Modern Neural Networks",
// 2017): it is the one under which Brier's score of the confidence is least. So a confidence of 0.8
// means, on documents like those of the training, right about four times of five. The Error of a
// [Summary] tells how far this is from the truth. Lewis' is the least reliable: his scores grow
// with what is absent, not only with the document.
//
// # Repeatable
//
// The same training documents give the same model file, byte for byte, in whatever order they
// were added, on one processor architecture (others may round a product differently).
package classify
