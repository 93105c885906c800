// Package pdfium reads the text of PDF files, with its places on the pages, by
// PDFium compiled to WebAssembly: without cgo or other programs, in a sandbox that
// has no files and no network.
//
// Start with [Open].
package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// maxPages limits the memory of a file's reader: 1 GiB in pages of 64 KiB.
const maxPages = 1 << 14

// maxInstances includes those of files whose reading was abandoned.
const maxInstances = 32

// compiled is PDFium as machine code, which takes seconds to make: once per process,
// and where there is a cache folder once per machine.
var compiled = sync.OnceValues(func() (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxPages)
	if cache := cacheFolder(); cache != nil {
		config = config.WithCompilationCache(cache)
	}
	return webassembly.Init(webassembly.Config{
		Context:       experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0)),
		RuntimeConfig: config,
		FSConfig:      wazero.NewFSConfig(), // no files
		Stdout:        io.Discard,
		Stderr:        io.Discard,
		MaxTotal:      maxInstances,
	})
})

// Start prepares the reader, which may take seconds the first time; [Open] does so
// too.
func Start() error {
	if _, err := compiled(); err != nil {
		return fmt.Errorf("the PDF reader does not start: %w", err)
	}
	return nil
}

// cacheFolder is the cache of machine code in the user's cache folder; nil if that
// cannot be written.
func cacheFolder() wazero.CompilationCache {
	base, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(base, "cerasum", "pdfium"))
	if err != nil {
		return nil
	}
	return cache
}

// engine is an instance of PDFium, which reads one file.
type engine struct {
	ctx      context.Context
	instance pdfium.Pdfium
	module   api.Module
	calls    map[string]api.Function
	stack    [8]uint64
	scratch  uint32 // results of calls
	err      error  // the first of a call
}

const scratchBytes = 64

// instanceTimeout is how long to wait for other files to be read.
const instanceTimeout = 10 * time.Minute

func newEngine(ctx context.Context) (*engine, error) {
	if err := Start(); err != nil {
		return nil, err
	}
	pool, _ := compiled()
	instance, err := pool.GetInstance(instanceTimeout)
	if err != nil {
		return nil, fmt.Errorf("the PDF reader does not start: %w", err)
	}
	e := &engine{ctx: ctx, instance: instance, calls: map[string]api.Function{}}
	// The functions are called directly: go-pdfium's own, which keep a handle of each
	// object, allocate for every letter of a page.
	module := reflect.ValueOf(instance.GetImplementation()).Elem().FieldByName("Module")
	if !module.IsValid() {
		return nil, errors.Join(errors.New("the PDF reader has no module"), instance.Close())
	}
	e.module = module.Interface().(api.Module)
	e.scratch = e.allocate(scratchBytes)
	if e.err != nil {
		// The caller has nothing to close.
		return nil, errors.Join(e.err, instance.Close())
	}
	return e, nil
}

// close frees the memory. Nothing is written that an error could concern.
func (e *engine) close() { _ = e.instance.Close() }

// call calls a function of PDFium; after an error, and when the context has ended, it
// does nothing. A call itself does not end with the context: with wazero's
// WithCloseOnContextDone, a page takes six times as long.
func (e *engine) call(name string, arguments ...uint64) uint64 {
	if e.err == nil {
		e.err = e.ctx.Err()
	}
	if e.err != nil {
		return 0
	}
	f := e.calls[name]
	if f == nil {
		if f = e.module.ExportedFunction(name); f == nil {
			e.err = fmt.Errorf("PDFium has no function %s", name)
			return 0
		}
		e.calls[name] = f
	}
	copy(e.stack[:], arguments)
	if e.err = f.CallWithStack(e.ctx, e.stack[:]); e.err != nil {
		return 0
	}
	return e.stack[0]
}

// number calls a function that returns an int.
func (e *engine) number(name string, arguments ...uint64) int {
	return int(int32(e.call(name, arguments...)))
}

// handle calls a function that returns a pointer; 0 is none.
func (e *engine) handle(name string, arguments ...uint64) uint32 {
	return uint32(e.call(name, arguments...))
}

func (e *engine) allocate(n int) uint32 {
	p := e.handle("malloc", uint64(n))
	if p == 0 && e.err == nil {
		e.err = ErrMemory
	}
	return p
}

// bytes returns a copy of memory.
func (e *engine) bytes(at uint32, n int) []byte {
	if e.err != nil {
		return make([]byte, n)
	}
	b, ok := e.module.Memory().Read(at, uint32(n))
	if !ok {
		e.err = ErrMemory
		return make([]byte, n)
	}
	return append([]byte(nil), b...)
}

// write copies data to new memory.
func (e *engine) write(data []byte) uint32 {
	p := e.allocate(max(1, len(data)))
	if e.err == nil && !e.module.Memory().Write(p, data) {
		e.err = ErrMemory
	}
	return p
}

// floats calls a function that writes n float32 to its last argument; ok is false if
// it has no answer.
func (e *engine) floats(n int, name string, arguments ...uint64) (values [6]float64, ok bool) {
	ok = e.number(name, append(arguments, uint64(e.scratch))...) != 0
	b := e.bytes(e.scratch, scratchBytes)
	for i := range n {
		values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return values, ok && e.err == nil
}

// words calls a function that writes n values of 4 bytes to as many arguments, its
// last ones.
func (e *engine) words(n int, name string, arguments ...uint64) (values [4]uint32, ok bool) {
	for i := range n {
		arguments = append(arguments, uint64(e.scratch)+uint64(4*i))
	}
	ok = e.number(name, arguments...) != 0
	b := e.bytes(e.scratch, scratchBytes)
	for i := range n {
		values[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return values, ok && e.err == nil
}

// point calls a function that writes two float64 to its last two arguments.
func (e *engine) point(name string, arguments ...uint64) (x, y float64) {
	e.call(name, append(arguments, uint64(e.scratch), uint64(e.scratch)+8)...)
	b := e.bytes(e.scratch, 16)
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
}
