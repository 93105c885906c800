// Package lexical turns sentences into sparse vectors without any model:
// tokens, stems, stop words, background document frequencies and TF-IDF.
//
// Start with [Analyze], which reads every sentence of a cluster once; its
// [Analysis] then gives the embeddings ([Analysis.TFIDF]) and the bigrams that
// documents agree on ([Analysis.Concepts]).
//
// # Terms
//
// A sentence is cut into words by the Unicode rules (UAX #29); segments without
// a letter or a digit are dropped. Words are lower-cased, composed, freed of
// elisions and possessives, and stemmed where Snowball has a stemmer for the
// document's language (ar da de en es fr it nl no pt ro ru sv tr), and cut to a
// prefix where that helps (bg cs el fi hr hu pl ru sk sl tr uk).
// Scripts without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar)
// give overlapping pairs of characters; so does Hangul, where particles grow
// onto the words (of the five sentences nearest to one of the NTREX news set,
// 40 % are of the same article then, 24 % with whole words). Numbers are terms.
//
// # Background
//
// How common a term is in a language comes from an embedded table,
// background.bin, counted from corpora that may be redistributed: Tatoeba
// (CC BY 2.0 FR), NTREX (CC BY-SA 4.0), the Parallel Universal Dependencies
// treebanks (CC BY-SA 3.0) and OrangeSum (CC BY-SA 4.0). The table itself is
// therefore under CC BY-SA 4.0. DATA.md has the details, and the origin of the
// stop words.
//
// Legend: N sentences (rows), D columns (terms, and bigrams where asked for).
package lexical
