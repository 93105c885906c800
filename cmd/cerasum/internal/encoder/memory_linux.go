package encoder

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// availableMemory returns the bytes available without swapping, including any
// cgroup limit; 0 if unknown.
func availableMemory() int64 {
	available := field("/proc/meminfo", "MemAvailable:", "kB") << 10
	limit := number("/sys/fs/cgroup/memory.max")
	if limit == 0 {
		return available
	}
	// Cached files count as used but can be evicted.
	free := limit - number("/sys/fs/cgroup/memory.current") + field("/sys/fs/cgroup/memory.stat", "inactive_file ", "")
	if available == 0 || free < available {
		available = max(1, free)
	}
	return available
}

// field reads the number after a word in a file of lines; 0 if absent.
func field(file, word, unit string) int64 {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), word); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, unit)), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// number reads a file with one number; 0 if it has none, or "max".
func number(file string) int64 {
	raw, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
