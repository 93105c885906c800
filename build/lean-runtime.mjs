// Prepares the overlay for building the page: Go's runtime without parts that only
// environment variables or packages that the page lacks can start (the execution
// tracer, metrics, profiles and what GODEBUG sets), its self-checks, and
// how it prints memory after corruption; and with a shorter sort. A page sets no
// environment. This saves a twelfth of the compressed program. Where another Go release
// has other sources, a part stays, with a warning.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A function that returns at once; the compiler drops the rest. */
const never = (head, result = "") => [`func ${head} {\n`, `func ${head} {\n\tif true {\n\t\treturn ${result}\n\t}\n`];

/** What only GODEBUG sets. */
const unset = [/\bdebug\.(gctrace|gcpacertrace|gccheckmark|gcstoptheworld|checkfinalizers|scavtrace|schedtrace|efence|sbrk|clobberfree|inittrace)\b (> [0-9]|!= 0|== [1-9])/g, "false"];

/** Replaces a quicksort by heapsort; the compiler drops the rest. */
const heapsort = (head, call) => [
  `func ${head} {\n`,
  `func ${head} {\n\tif b-a > 12 {\n\t\theapSort${call}\n\t} else {\n\t\tinsertionSort${call}\n\t}\n\tif true {\n\t\treturn\n\t}\n`,
];

const changes = {
  "runtime/traceruntime.go": [never("traceEnabled() bool", "false"), never("traceAllocFreeEnabled() bool", "false"), never("traceShuttingDown() bool", "false")],
  "runtime/trace.go": [never("traceAdvance(stopTrace bool)")],
  "runtime/metrics.go": [never("initMetrics()")],
  "runtime/proc.go": [unset, [/\bif inittrace\.active \{/g, "if false {"], never("schedtrace(detailed bool)"), never("saveAncestors(callergp *g) *[]ancestorInfo", "nil")],
  "runtime/mcheckmark.go": [never("checkFinalizersAndCleanups()")],
  "runtime/mgc.go": [unset],
  "runtime/mgcpacer.go": [unset],
  "runtime/mgcsweep.go": [unset, [`func (s *mspan) reportZombies() {\n`, `func (s *mspan) reportZombies() {\n\tif true {\n\t\tthrow("found pointer to free object")\n\t\treturn\n\t}\n`]],
  "runtime/mheap.go": [unset],
  "runtime/malloc.go": [unset],
  "runtime/mfinal.go": [unset],
  "runtime/mcleanup.go": [unset],
  "runtime/stack.go": [unset],
  "runtime/mgcmark.go": [unset, never("gcDumpObject(label string, obj, off uintptr)")],
  "runtime/mgcscavenge.go": [never("printScavTrace(releasedBg, releasedEager uintptr, forced bool)")],
  "runtime/mprof.go": [
    never("mProf_Malloc(mp *m, p unsafe.Pointer, size uintptr)"),
    never("mProf_Free(b *bucket, size uintptr)"),
    never("blockevent(cycles int64, skip int)"),
    never("saveblockevent(cycles, rate int64, skip int, which bucketType)"),
  ],
  "runtime/traceback.go": [
    // Tracebacks show the arguments of functions only as numbers.
    never("printArgs(f funcInfo, argp unsafe.Pointer, pc uintptr)"),
    never("printAncestorTraceback(ancestor ancestorInfo)"),
    never("tracebackHexdump(stk stack, frame *stkframe, bad uintptr)"),
    never("printCgoTraceback(callers *cgoCallers)"),
    never("printOneCgoTraceback(pc uintptr, commitFrame func() (pr, stop bool), arg *cgoSymbolizerArg) bool", "false"),
  ],
  "runtime/hexdump.go": [never("hexdumpWords(p, len uintptr, mark func(uintptr, hexdumpMarker))")],
  // Values of panics that are neither errors nor strings, which nothing here panics with.
  "runtime/error.go": [never("printanycustomtype(i any)")],
  // Checks of the compiler's and the linker's work, and the environment variable GODEBUG.
  "runtime/runtime1.go": [never("check()"), never("parsegodebug(godebug string, seen map[string]bool)")],
  "runtime/symtab.go": [never("moduledataverify1(datap *moduledata)"), never("expandCgoFrames(pc uintptr) []Frame", "nil")],
  // For programs of several modules.
  "runtime/type.go": [never("typelinksinit()")],
  "internal/godebug/godebug.go": [never("init()"), never("(s *Setting) Value() string", '""'), never("(s *Setting) IncNonDefault()")],
  // Heapsort instead of pattern-defeating quicksort, whose code is repeated for each type.
  "slices/zsortordered.go": [heapsort("pdqsortOrdered[E cmp.Ordered](data []E, a, b, limit int)", "Ordered(data, a, b)")],
  "slices/zsortanyfunc.go": [heapsort("pdqsortCmpFunc[E any](data []E, a, b, limit int, cmp func(a, b E) int)", "CmpFunc(data, a, b, cmp)")],
  // Numbers are never shown in hexadecimal form.
  "internal/strconv/ftoa.go": [never("fmtX(dst []byte, prec int, fmt byte, neg bool, mant uint64, exp int, flt *floatInfo) []byte", "dst")],
  // The page has times to measure, not to show.
  "time/format.go": [never("(t Time) String() string", '"time.Time"')],
};

/** Returns the path of the overlay, for `go build -overlay`. */
export function leanRuntime(root) {
  const sources = join(execFileSync("go", ["env", "GOROOT"], { cwd: root, encoding: "utf8" }).trim(), "src");
  const folder = join(root, "build/out/lean/_runtime"); // the underscore hides it from ./...
  mkdirSync(folder, { recursive: true });
  const Replace = {};
  for (const [name, list] of Object.entries(changes)) {
    if (!existsSync(join(sources, name))) {
      console.warn(`Go has no ${name}: the program becomes larger (build/lean-runtime.mjs)`);
      continue;
    }
    let text = readFileSync(join(sources, name), "utf8");
    for (const [pattern, by] of list) {
      if (!(pattern instanceof RegExp ? text.search(pattern) >= 0 : text.includes(pattern))) console.warn(`Go's ${name} has no ${pattern instanceof RegExp ? pattern : JSON.stringify(pattern)}: the program becomes larger (build/lean-runtime.mjs)`);
      text = text.replace(pattern, () => by);
    }
    const path = join(folder, name.replaceAll("/", "-"));
    writeFileSync(path, text);
    Replace[join(sources, name)] = path;
  }
  const overlay = join(folder, "overlay.json");
  writeFileSync(overlay, JSON.stringify({ Replace }));
  return overlay;
}
