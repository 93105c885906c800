// Package text cuts documents into sentences, counts words and characters, and
// tells which language a text is in. It knows every script; [Split] has rules
// of its own for the languages that [Languages] lists.
//
// Start with [Split]. Offsets are bytes and UTF-16 units, as in
// [cluster.Sentence]. Everything here runs in time linear in the text, takes
// any bytes (invalid UTF-8 included) and never fails.
package text
