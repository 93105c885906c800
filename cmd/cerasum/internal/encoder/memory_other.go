//go:build !linux

package encoder

// availableMemory is how many bytes can be had without swapping: here that
// cannot be told.
func availableMemory() int64 { return 0 }
