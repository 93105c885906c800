package encoder

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// availableMemory is how many bytes can be had without swapping, 0 where that
// cannot be told. A limit of the control group counts too.
func availableMemory() int64 {
	available := memAvailable()
	limit, current := number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")
	if limit > 0 && (available == 0 || limit-current < available) {
		available = max(1, limit-current)
	}
	return available
}

func memAvailable() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

// number reads a file of one number; 0 where it has none, or "max".
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
