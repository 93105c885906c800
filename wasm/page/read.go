//go:build js

package main

import (
	"errors"
	"syscall/js"
)

// read copies the message of a call of receive into a tree.
func read(args []js.Value) (any, error) {
	if len(args) != 1 {
		return nil, errors.New("receive takes one message")
	}
	return toTree(args[0], 0)
}
