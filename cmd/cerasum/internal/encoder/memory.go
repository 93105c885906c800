package encoder

import "fmt"

// neededFor estimates the memory in bytes for loading a model (measured: 404 MiB
// for a model of 86 MiB): the file, its parsed form, the runtime's copy and
// garbage exist at the same time, plus the batches.
func neededFor(file int64) int64 { return 4*file + 64<<20 }

// checkMemory refuses a model that exceeds the available memory, before it is
// read.
func (f *folder) checkMemory(o Options) error {
	available := o.MaxMemory
	if available == 0 {
		available = availableMemory()
	}
	if need := neededFor(f.bytes); available > 0 && need > available {
		return f.bad(f.onnx, "the model of %s needs about %s of memory, %s available", megabytes(f.bytes), megabytes(need), megabytes(available))
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20) }
