// Package lexical converts sentences to sparse vectors without a model: tokens,
// stems, stop words, background document frequencies and TF-IDF.
//
// Start with [Analyze], which reads every sentence of a cluster once; its [Analysis]
// then provides the embeddings ([Analysis.TFIDF]) and the bigrams shared by documents
// ([Analysis.Concepts]).
//
// # Terms
//
// A sentence is split into words by the Unicode rules (UAX #29); segments without
// letters and digits are dropped. Words are lower-cased, composed, stripped of
// elisions and possessives, stemmed if Snowball has a stemmer for the document's
// language (ar da de en es fr it nl no pt ro ru sv tr), and truncated to a prefix
// where that helps (bg cs el fi hr hu pl ru sk sl tr uk). Scripts without spaces (Han,
// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) yield overlapping pairs of
// characters; so does Hangul, whose words have attached particles (of the five
// nearest sentences in the NTREX news set, 40 % are then from the same document, 24 %
// with complete words). Numbers are terms.
//
// # Background
//
// The frequency of a term in a language comes from an embedded table, background.bin,
// counted from redistributable corpora: Tatoeba (CC BY 2.0 FR), NTREX (CC BY-SA 4.0),
// the Parallel Universal Dependencies treebanks (CC BY-SA 3.0) and OrangeSum (CC BY-SA
// 4.0). The table itself is therefore under CC BY-SA 4.0. DATA.md has the details, and
// the origin of the stop words.
//
// Legend: N sentences (rows), D columns (terms, and optionally bigrams).
package lexical
