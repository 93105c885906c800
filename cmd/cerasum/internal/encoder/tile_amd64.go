package encoder

import "golang.org/x/sys/cpu"

var hasTile = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// multiplyTile sets tile to a × b: a has tileRows rows of depth numbers, stride apart, b
// has depth rows of tileColumns numbers. depth is at least 1.
//
//go:noescape
func multiplyTile(tile *[tileRows * tileColumns]float32, a *float32, stride int, b *float32, depth int)
