// Package text splits documents into sentences, counts words and characters, and
// detects the language of a text. It supports every script; [Split] has rules for
// the languages that [Languages] lists.
//
// Start with [Split]. Offsets are bytes and UTF-16 units, as in
// [cluster.Sentence]. Everything here takes linear time, accepts any bytes
// (including invalid UTF-8) and never fails.
package text
