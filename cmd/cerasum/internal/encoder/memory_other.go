//go:build !linux

package encoder

// availableMemory returns the bytes available without swapping; 0 means unknown.
func availableMemory() int64 { return 0 }
