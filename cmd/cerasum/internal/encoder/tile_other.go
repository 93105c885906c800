//go:build !amd64

package encoder

const hasTile = false

func multiplyTile(*[tileRows * tileColumns]float32, *float32, int, *float32, int) {}
