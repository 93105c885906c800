package encoder

import "fmt"

// neededFor is how many bytes loading a model takes, by measurement (404 MiB for
// one of 86 MiB): the file, its parsed form, the runtime's copy and what reading
// leaves behind are there at once, and the batches come on top.
func neededFor(file int64) int64 { return 4*file + 64<<20 }

// checkMemory refuses a model that the machine has no memory for, before it
// is read.
func (f *folder) checkMemory(o Options) error {
	available := o.MaxMemory
	if available == 0 {
		available = availableMemory()
	}
	if need := neededFor(f.bytes); available > 0 && need > available {
		return f.bad(f.onnx, "the model of %s would need about %s of memory, but %s are free", megabytes(f.bytes), megabytes(need), megabytes(available))
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20) }
