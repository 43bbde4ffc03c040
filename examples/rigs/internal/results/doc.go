// Package results is what the houses of experiments share: experiments write chapters of tables and
// pictures, and RESULTS.md is made of a text and these tables, so that each of its numbers is one of
// theirs.
//
// A house is a folder with the following files. Its program writes the last two.
//
//	parameters.toml  all numbers that were chosen, written down before the first run
//	RESULTS.tmpl     the text; Write says how it takes cells from tables
//	RESULTS.md       the text with its numbers
//	results          NAME.md of each experiment, and its tables as TSV and its pictures as SVG; run.md
//	                 says what the last run of all experiments took
package results
