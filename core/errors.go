package core

import "errors"

var (
	// ErrOption is wrapped by every error about an option: an unknown name or
	// a value out of range. The message names the option and what it takes.
	ErrOption = errors.New("bad option")
	// ErrNoText is returned for a cluster in which no sentence has a word.
	ErrNoText = errors.New("nothing to summarize: no document has a sentence with a word in it")
)
