//go:build runners

// Package runners runs cerasum-beam on real clusters of Flink and Spark on this machine:
// Beam's job server, a job manager and two task managers, or Spark's local master, with
// PROCESS workers. It compares their lines with those of "cerasum batch".
//
//	cd batch/beam && go test -tags runners -v ./runners
//
// pom.xml has the versions. CERASUM_MEASURE=16000 measures the CPU time of so many
// clusters and kills nothing.
package runners

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// Versions of Java on which Flink 1.19 and Spark 3.5 run. Java 24 has no security manager,
// which both need.
const oldestJava, newestJava = 17, 23

// TestFlink kills a task manager while its worker summarizes.
func TestFlink(t *testing.T) {
	c := newCluster(t, "flink")
	rest, rpc := freePort(t), freePort(t)
	conf := func(name string, more string) string {
		dir := filepath.Join(c.dir, name)
		c.write(filepath.Join(dir, "flink-conf.yaml"), []byte(fmt.Sprintf(flinkConf, rpc, rest, filepath.Join(c.dir, "tmp"))+more))
		return dir
	}
	c.java("jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", conf("jm", ""))
	managers := []*exec.Cmd{}
	for i := range 2 {
		name := fmt.Sprintf("taskmanager-%d", i)
		managers = append(managers, c.java(name, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", conf(name, taskManagerConf)))
	}
	address := fmt.Sprintf("127.0.0.1:%d", rest)
	c.waitFor("two task managers", func() bool {
		var overview struct{ TaskManagers int }
		return getJSON("http://"+address+"/overview", &overview) == nil && overview.TaskManagers == 2
	})
	endpoint := c.jobServer("org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master="+address, "--flink-conf-dir="+conf("client", ""))
	c.run(endpoint, func(summarizes map[int]float64, share float64) bool {
		if summarizes[managers[0].Process.Pid] < share {
			return false
		}
		c.kill("a task manager", managers[0].Process.Pid)
		return true
	})
	// What Flink says about it.
	var jobs struct {
		Jobs []struct {
			ID, Status string
		}
	}
	if err := getJSON("http://"+address+"/jobs", &jobs); err != nil || len(jobs.Jobs) != 1 || jobs.Jobs[0].Status != "FINISHED" {
		t.Fatalf("jobs of Flink: %+v, %v; want one that is finished", jobs, err)
	}
	var job struct{ Timestamps map[string]int64 }
	if err := getJSON("http://"+address+"/jobs/"+jobs.Jobs[0].ID, &job); err != nil {
		t.Fatal(err)
	}
	if restarted := job.Timestamps["RESTARTING"] > 0; restarted != c.kills {
		t.Errorf("Flink restarted the job: %v, want %v; its states: %v", restarted, c.kills, job.Timestamps)
	}
	c.runClusters(endpoint)
	c.stop(rest, rpc)
}

// TestSpark kills a worker while it summarizes: the local master has no other process.
func TestSpark(t *testing.T) {
	c := newCluster(t, "spark")
	endpoint := c.jobServer("org.apache.beam.runners.spark.SparkJobServerDriver", "--spark-master-url=local[2,4]")
	c.run(endpoint, func(summarizes map[int]float64, share float64) bool {
		for parent, cpu := range summarizes {
			if cpu < share {
				continue
			}
			for _, p := range processes(c.dir) {
				if p.parent == parent && p.name != "java" {
					c.kill("a worker", p.pid)
					return true
				}
			}
		}
		return false
	})
	c.runClusters(endpoint)
	c.stop()
}

// Flink's scripts would compute the sizes of memory; without them each has to be set.
const (
	flinkConf = `jobmanager.rpc.address: 127.0.0.1
jobmanager.rpc.port: %d
jobmanager.bind-host: 127.0.0.1
rest.address: 127.0.0.1
rest.bind-address: 127.0.0.1
rest.port: %d
io.tmp.dirs: %s
heartbeat.interval: 1000
heartbeat.timeout: 15000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 3
restart-strategy.fixed-delay.delay: 1 s
cluster.evenly-spread-out-slots: true
`
	taskManagerConf = `taskmanager.host: 127.0.0.1
taskmanager.bind-host: 127.0.0.1
taskmanager.numberOfTaskSlots: 2
taskmanager.cpu.cores: 1
taskmanager.memory.framework.heap.size: 64m
taskmanager.memory.task.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.task.off-heap.size: 0m
taskmanager.memory.managed.size: 256m
taskmanager.memory.network.min: 256m
taskmanager.memory.network.max: 256m
taskmanager.memory.jvm-metaspace.size: 192m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
`
)

// opened are the packages of Java that Flink, Spark and Beam reach into.
var opened = []string{"java.io", "java.lang", "java.lang.invoke", "java.lang.reflect", "java.net", "java.nio", "java.time", "java.util",
	"java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar"}

// marker names the variable that all processes of a cluster inherit.
const marker = "CERASUM_RUNNERS"

// cluster is the processes of a test and their files.
type cluster struct {
	t        *testing.T
	ctx      context.Context
	dir      string // of everything; kept after a failure
	class    string // path of Java classes
	beam     string // the program cerasum-beam
	kills    bool
	servers  []*exec.Cmd
	ended    []chan struct{} // closed when the process at the same index has ended
	ports    []int
	clusters int

	mu   sync.Mutex
	seen map[int]process // by pid, the latest
}

// newCluster builds the programs. It skips the test if the machine lacks something.
func newCluster(t *testing.T, profile string) *cluster {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: the test finds processes in /proc")
	}
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs Java (%d to %d) and Maven: %v", oldestJava, newestJava, err)
		}
	}
	if version := javaVersion(t); version < oldestJava || version > newestJava {
		t.Skipf("needs Java %d to %d, found %d", oldestJava, newestJava, version)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	t.Cleanup(cancel)
	dir, err := filepath.Abs(filepath.Join("../../../build/out/runners", profile))
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, ctx: ctx, dir: dir, kills: true, seen: map[int]process{}, clusters: 1000}
	if n := os.Getenv("CERASUM_MEASURE"); n != "" {
		c.kills = false
		if c.clusters, err = strconv.Atoi(n); err != nil || c.clusters < 100 {
			t.Fatalf("CERASUM_MEASURE=%s: want a number of clusters, from 100", n)
		}
	}
	if other := processes(dir); len(other) > 0 {
		t.Fatalf("another run of this test has not ended: %+v", other)
	}
	c.must(os.RemoveAll(dir))
	for _, name := range []string{"tmp", "in", "out"} {
		c.must(os.MkdirAll(filepath.Join(dir, name), 0o777))
	}
	if deadline, ok := t.Deadline(); ok {
		// Time to end the processes.
		c.ctx, cancel = context.WithDeadline(ctx, deadline.Add(-time.Minute))
		t.Cleanup(cancel)
	}
	t.Cleanup(c.end)
	c.class = c.classPath(profile)
	c.beam = filepath.Join(dir, "cerasum-beam")
	c.build("../../../batch/beam", c.beam, ".")
	c.build("../../..", filepath.Join(dir, "cerasum"), "./cmd/cerasum")
	go c.watch()
	return c
}

func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) write(name string, data []byte) {
	c.t.Helper()
	c.must(os.MkdirAll(filepath.Dir(name), 0o777))
	c.must(os.WriteFile(name, data, 0o666))
}

func javaVersion(t *testing.T) int {
	out, err := exec.Command("java", "-version").CombinedOutput()
	if m := regexp.MustCompile(`version "(\d+)`).FindSubmatch(out); err == nil && m != nil {
		version, _ := strconv.Atoi(string(m[1])) // digits
		return version
	}
	t.Skipf("java -version: %v: %.200q", err, out)
	return 0
}

// classPath resolves the artifacts, from Maven's cache if they are there. Downloads that
// take longer than ten minutes, or half of the time that the test has, skip it.
func (c *cluster) classPath(profile string) string {
	limit := 10 * time.Minute
	if deadline, ok := c.t.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(c.ctx, limit)
	defer cancel()
	file := filepath.Join(c.dir, "classpath")
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "-P", profile, "dependency:build-classpath", "-Dmdep.outputFile="+file)
	mvn.WaitDelay = 10 * time.Second // processes of Maven that keep its output open
	out, err := mvn.CombinedOutput()
	c.must(c.ctx.Err())
	if err != nil {
		_, first, _ := strings.Cut(string(out), "[ERROR]")
		first, _, _ = strings.Cut(strings.TrimSpace(first), "\n")
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			c.t.Skipf("Maven has not fetched the artifacts of pom.xml within %v", limit.Round(time.Second))
		}
		c.t.Skipf("Maven cannot resolve the artifacts of pom.xml: %v: %s", err, first)
	}
	path, err := os.ReadFile(file)
	c.must(err)
	return string(path)
}

func (c *cluster) build(dir, program, source string) {
	cmd := exec.CommandContext(c.ctx, "go", "build", "-o", program, source)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), marker+"="+c.dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("go build: %v\n%s", err, out)
	}
}

// java starts a class. Its output goes to a file of this name.
func (c *cluster) java(name, class string, args ...string) *exec.Cmd {
	c.t.Helper()
	tmp := filepath.Join(c.dir, "tmp")
	flags := []string{"-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:MaxDirectMemorySize=448m", "-Djava.io.tmpdir=" + tmp,
		"-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
		"-Dspark.ui.enabled=false", "-Dspark.driver.host=127.0.0.1", "-Dspark.driver.bindAddress=127.0.0.1", "-Dspark.local.dir=" + tmp}
	if c.kills {
		flags = append(flags, "-XX:TieredStopAtLevel=1") // compile fast: nothing runs for long
	}
	for _, name := range opened {
		flags = append(flags, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	cmd := exec.Command("java", append(append(flags, "-cp", c.class, class), args...)...)
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), marker+"="+c.dir, "TMPDIR="+tmp)
	log, err := os.Create(filepath.Join(c.dir, name+".log"))
	c.must(err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	c.must(cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // killed
		close(ended)
	}()
	c.servers, c.ended = append(c.servers, cmd), append(c.ended, ended)
	return cmd
}

// jobServer returns the address of Beam's Job API.
func (c *cluster) jobServer(class string, args ...string) string {
	c.t.Helper()
	for range 3 {
		c.ports = append(c.ports, freePort(c.t))
	}
	c.java("jobserver", class, append(args, fmt.Sprintf("--job-port=%d", c.ports[0]), fmt.Sprintf("--artifact-port=%d", c.ports[1]), fmt.Sprintf("--expansion-port=%d", c.ports[2]),
		"--artifacts-dir="+filepath.Join(c.dir, "staged"))...)
	address := fmt.Sprintf("localhost:%d", c.ports[0])
	c.waitFor("the job server", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return address
}

// waitFor waits until ready returns true.
func (c *cluster) waitFor(what string, ready func() bool) {
	c.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ready(); time.Sleep(100 * time.Millisecond) {
		c.must(c.ctx.Err())
		if time.Now().After(end) {
			c.t.Fatalf("%s: not there after two minutes", what)
		}
	}
}

// run compares the pipeline's lines with those of batch. When workers have started, it
// calls interrupt with the CPU seconds of the workers by their parents, and half of
// what each will need, until it returns true.
func (c *cluster) run(endpoint string, interrupt func(summarizes map[int]float64, share float64) bool) {
	t := c.t
	t.Helper()
	for name, data := range corpora(t, c.clusters) {
		c.write(filepath.Join(c.dir, "in", name), data)
	}
	in, out := filepath.Join(c.dir, "in"), filepath.Join(c.dir, "out", "summaries.jsonl")
	expected := filepath.Join(c.dir, "batch.jsonl")
	settings := []string{"--budget", "60", "--max-line", "1"}
	batch := exec.CommandContext(c.ctx, filepath.Join(c.dir, "cerasum"), append([]string{"batch", in, "-q", "--output", expected, "--encoder", "lexical"}, settings...)...)
	var said bytes.Buffer
	batch.Stderr = &said
	if err := batch.Run(); batch.ProcessState == nil || batch.ProcessState.ExitCode() != 1 { // some lines are bad
		t.Fatalf("cerasum batch: %v\n%s", err, &said)
	}
	needed := (batch.ProcessState.UserTime() + batch.ProcessState.SystemTime()).Seconds()

	// As a worker leaves it that is killed while it writes.
	c.write(out+".00c0ffee.tmp", []byte("{"))
	pipeline := c.pipeline(endpoint, append([]string{"--input", filepath.Join(in, "*"), "--output", out}, settings...)...)
	began := time.Now()
	c.must(pipeline.Start())
	done := make(chan error, 1)
	go func() { done <- pipeline.Wait() }()
	interrupted := !c.kills
	for ended := false; !ended; {
		select {
		case err := <-done:
			ended = true
			if err != nil {
				t.Fatalf("cerasum-beam: %v", err)
			}
		case <-time.After(20 * time.Millisecond):
			if !interrupted {
				interrupted = interrupt(c.workers(), needed/4)
			}
		}
	}
	took := time.Since(began)
	if !interrupted {
		t.Error("the job ended before anything was killed")
	}
	java, workers := c.cpu()
	summaries, bad := lines(t, out), lines(t, out+".bad.jsonl")
	t.Logf("%d summaries, %d bad lines in %.0f s; CPU seconds: batch %.1f, Java %.1f, workers %.1f", len(summaries), len(bad), took.Seconds(), needed, java, workers)
	for _, one := range []struct {
		what      string
		got, want []string
	}{{"summaries", summaries, lines(t, expected)}, {"bad lines", bad, lines(t, expected+".bad.jsonl")}} {
		got, want := sum(one.got), sum(one.want)
		t.Logf("SHA-256 of the sorted %s: %s", one.what, got)
		if got != want {
			t.Errorf("%d %s, batch has %d with SHA-256 %s; the first that differs: %s", len(one.got), one.what, len(one.want), want, difference(one.got, one.want))
		}
	}
	if len(summaries) != c.clusters || len(bad) != len(badLines)*(c.clusters/100) {
		t.Errorf("%d summaries and %d bad lines, want %d and %d", len(summaries), len(bad), c.clusters, len(badLines)*(c.clusters/100))
	}
	if !c.kills {
		c.workersEnd(nil)
	}
	entries, err := os.ReadDir(filepath.Dir(out))
	c.must(err)
	if len(entries) != 2 {
		t.Errorf("files beside the output: %v", entries)
	}
}

// pipeline returns the command that runs the pipeline. Its output goes to pipeline.log.
func (c *cluster) pipeline(endpoint string, args ...string) *exec.Cmd {
	environment, err := json.Marshal(map[string]string{"command": c.beam})
	c.must(err)
	cmd := exec.CommandContext(c.ctx, c.beam, append([]string{"--runner", "universal", "--endpoint", endpoint, "--parallelism", "2", "--environment_type", "PROCESS",
		"--environment_config", string(environment), "--worker_binary", c.beam}, args...)...)
	log, err := os.OpenFile(filepath.Join(c.dir, "pipeline.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	c.must(err)
	c.t.Cleanup(func() { log.Close() })
	cmd.Stdout, cmd.Stderr = log, log
	return cmd
}

// runClusters compares the lines of the pipeline with --cluster with those of Beam's local runner.
func (c *cluster) runClusters(endpoint string) {
	t := c.t
	t.Helper()
	in := filepath.Join(c.dir, "articles.jsonl")
	c.write(in, articles(t))
	settings := []string{"--cluster", "--input", in, "--block", "100", "--budget", "60", "--max-line", "1"}
	expected, out := filepath.Join(c.dir, "expected.jsonl"), filepath.Join(c.dir, "clusters.jsonl")
	local := exec.CommandContext(c.ctx, c.beam, append(settings, "--output", expected)...)
	if said, err := local.CombinedOutput(); err != nil {
		t.Fatalf("cerasum-beam on the local runner: %v\n%s", err, said)
	}
	before := c.running() // Beam leaves some, idle, of a job of which a process was killed
	t.Logf("%d workers are left of the first job", len(before))
	began := time.Now()
	if err := c.pipeline(endpoint, append(settings, "--output", out)...).Run(); err != nil {
		t.Fatalf("cerasum-beam --cluster: %v", err)
	}
	for _, name := range []string{"", ".bad.jsonl"} {
		got, want := lines(t, out+name), lines(t, expected+name)
		t.Logf("%d lines of %s in %.0f s", len(got), filepath.Base(out+name), time.Since(began).Seconds())
		if !slices.Equal(got, want) || len(want) < 5 {
			t.Errorf("%d lines of %s, the local runner has %d; the first that differs: %s", len(got), filepath.Base(out+name), len(want), difference(got, want))
		}
	}
	c.workersEnd(before)
}

// running returns the workers.
func (c *cluster) running() []process {
	return slices.DeleteFunc(processes(c.dir), func(p process) bool { return p.name == "java" })
}

// workersEnd waits for the workers of a job that is finished: they may not outlive it, although
// the cluster goes on. Workers that ran before do not count.
func (c *cluster) workersEnd(before []process) {
	c.t.Helper()
	const limit = 15 * time.Second
	began := time.Now()
	for {
		left := slices.DeleteFunc(c.running(), func(p process) bool {
			return slices.ContainsFunc(before, func(old process) bool { return old.pid == p.pid })
		})
		if len(left) == 0 {
			c.t.Logf("no worker is left %.1f s after the job", time.Since(began).Seconds())
			return
		}
		if time.Since(began) > limit {
			c.t.Errorf("workers that run %v after their job: %+v", limit, left)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// kill ends a process as a machine that fails does.
func (c *cluster) kill(what string, pid int) {
	c.t.Logf("kill -9 of %s, after %.1f CPU seconds of the workers", what, func() float64 { _, workers := c.cpu(); return workers }())
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		c.t.Error(err)
	}
}

// stop ends the cluster in an orderly way; nothing of it may remain.
func (c *cluster) stop(ports ...int) {
	for i := range slices.Backward(c.servers) {
		_ = c.servers[i].Process.Signal(syscall.SIGTERM) // killed before
		select {
		case <-c.ended[i]:
		case <-time.After(30 * time.Second):
			c.t.Errorf("%s does not end within 30 s of SIGTERM", c.servers[i].Args[len(c.servers[i].Args)-1])
		}
	}
	// Workers look for their parents every second.
	var left []process
	for range 50 {
		if left = processes(c.dir); len(left) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(left) > 0 {
		c.t.Errorf("still running: %+v", left)
	}
	for _, port := range append(ports, c.ports...) {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			c.t.Error(err)
			continue
		}
		l.Close()
	}
}

// end kills what is left, and removes the files unless the test failed.
func (c *cluster) end() {
	for range 20 {
		left := processes(c.dir)
		for _, p := range left {
			_ = syscall.Kill(p.pid, syscall.SIGKILL) // it may have ended
		}
		if len(left) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if c.t.Failed() && !errors.Is(c.ctx.Err(), context.Canceled) {
		c.t.Logf("the logs are in %s", c.dir)
		return
	}
	if err := os.RemoveAll(c.dir); err != nil {
		c.t.Error(err)
	}
}

// process is a process of a cluster.
type process struct {
	pid, parent int
	name        string
	cpu         float64 // seconds
}

// processes returns the processes that inherited the folder's name.
func processes(dir string) []process {
	var found []process
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	want := []byte(marker + "=" + dir)
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err != nil || !slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(one []byte) bool { return bytes.Equal(one, want) }) {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(filepath.Dir(path), "stat"))
		if err != nil {
			continue
		}
		// pid (name) state ppid … utime stime, the 14th and 15th field, in hundredths of a second
		head, rest, _ := strings.Cut(string(stat), " (")
		end := strings.LastIndex(rest, ") ")
		fields := strings.Fields(rest[end+1:])
		number := func(text string) int { n, _ := strconv.Atoi(text); return n }
		if fields[0] == "Z" {
			continue
		}
		found = append(found, process{number(head), number(fields[1]), rest[:end], float64(number(fields[11])+number(fields[12])) / 100})
	}
	return found
}

// watch records the CPU time of processes, also of those that will be killed.
func (c *cluster) watch() {
	for c.ctx.Err() == nil {
		all := processes(c.dir)
		c.mu.Lock()
		for _, p := range all {
			c.seen[p.pid] = p
		}
		c.mu.Unlock()
		time.Sleep(200 * time.Millisecond)
	}
}

// workers returns the CPU seconds of workers by their parents.
func (c *cluster) workers() map[int]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	sums := map[int]float64{}
	for _, p := range c.seen {
		if p.name != "java" {
			sums[p.parent] += p.cpu
		}
	}
	return sums
}

// cpu returns the CPU seconds of Java and of workers.
func (c *cluster) cpu() (java, workers float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.seen {
		if p.name == "java" {
			java += p.cpu
		} else {
			workers += p.cpu
		}
	}
	return java, workers
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func getJSON(url string, to any) error {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(to)
}

// lines reads the lines of a file, sorted.
func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(strings.Lines(string(data)))
}

func sum(lines []string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, ""))))
}

// difference returns the first line that only one of two sorted lists has.
func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want) || i < len(got) && got[i] < want[i]:
			return fmt.Sprintf("only here: %.300q", got[i])
		case i >= len(got) || got[i] > want[i]:
			return fmt.Sprintf("only batch: %.300q", want[i])
		}
	}
	return "none"
}

// badLines are the ways in which a line can be wrong.
var badLines = []string{
	"\xff\xfe\x00",
	`{"documents": ["Not UTF-8: ` + "\x80" + `."]}`,
	`{"documents": ["` + strings.Repeat("Too long. ", 110_000) + `"]}`,
	`{"documents": ["The bridge closed.`,
	`{"documents": ["The bridge closed."]} {}`,
	`null`,
	`[]`,
	`7`,
	`"text"`,
	`{}`,
	`{"documents": null}`,
	`{"documents": []}`,
	`{"documents": [""]}`,
	`{"documents": "text"}`,
	`{"documents": [null]}`,
	`{"documents": [7]}`,
	`{"documents": [{"text": 7}]}`,
	`{"documents": [{"title": "No text"}]}`,
	`{"documents": ["The bridge closed."], "documents": ["Again."]}`,
}

// corpora makes files with n clusters in all and, for each hundred, all bad lines and an
// empty one, which is none: plain, with a BOM and the line ends of Windows, packed, empty.
func corpora(t *testing.T, n int) map[string][]byte {
	random := rand.New(rand.NewPCG(21, 21))
	files := map[string][]byte{"empty.jsonl": nil}
	const parts = 4
	for part := range parts {
		var b bytes.Buffer
		for i := part * n / parts; i < (part+1)*n/parts; i++ {
			if i%100 == 99 {
				for _, line := range badLines {
					b.WriteString(line + "\n")
				}
				b.WriteString("\n")
			}
			line, err := json.Marshal(map[string]any{"id": fmt.Sprintf("c%d", i), "documents": documents(random)})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		name := fmt.Sprintf("corpus-%d.jsonl", part)
		switch part {
		case 1:
			files[name] = append([]byte("\xef\xbb\xbf"), bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))...)
		case 2:
			files[name+".gz"] = archivetest.Gzip(t, b.Bytes())
		default:
			files[name] = b.Bytes()
		}
	}
	return files
}

// documents makes a cluster: two to six reports of one event, which share some of their words.
func documents(random *rand.Rand) []map[string]string {
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	place, thing := one("Porto", "Leeds", "Turin", "Nantes", "Vigo", "Bergen"), one("ferry", "bridge", "factory", "school", "dam", "market")
	all := make([]map[string]string, 2+random.IntN(5))
	for d := range all {
		var b strings.Builder
		for range 15 + random.IntN(20) {
			switch random.IntN(4) {
			case 0:
				fmt.Fprintf(&b, "The %s in %s %s on %s after %d %s. ", thing, place, one("closed", "reopened", "flooded", "burned", "was sold"), one("Monday", "Tuesday", "Friday"), 2+random.IntN(90), one("days of rain", "complaints", "inspections", "votes"))
			case 1:
				fmt.Fprintf(&b, "“%s,” said %s %s, who %s the %s. ", one("We saw the water rise all night", "Nobody told us about it", "It will take months to repair"), one("Ana", "Tom", "Ines", "Karl"), one("Silva", "Brown", "Rossi", "Dahl"), one("works at", "lives near", "owns", "inspected"), thing)
			case 2:
				fmt.Fprintf(&b, "Officials of %s %s %d million euros for %s. ", place, one("set aside", "asked for", "spent"), 1+random.IntN(400), one("repairs", "new pumps", "a second "+thing, "the families"))
			default:
				fmt.Fprintf(&b, "%d %s %s the %s %s. ", 3+random.IntN(900), one("people", "workers", "pupils", "drivers"), one("left", "crossed", "surrounded", "cleaned"), thing, one("before dawn", "that evening", "without being hurt", "despite the warning"))
			}
		}
		all[d] = map[string]string{"text": b.String()}
	}
	return all
}

// articles makes the lines of some hundred documents of forty events, each with words of its own,
// of single documents with no neighbours, terms or date, and all bad lines.
func articles(t *testing.T) []byte {
	random := rand.New(rand.NewPCG(22, 22))
	word := func() string {
		letters := make([]byte, 8)
		for i := range letters {
			letters[i] = "aeioubdfgklmnprstvz"[random.IntN(19)]
		}
		return string(letters)
	}
	var b bytes.Buffer
	add := func(document map[string]string) {
		line, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	for event := range 40 {
		own := fmt.Sprintf("The %s %s of %s %s met %s %s.", word(), word(), word(), word(), word(), word())
		for i, d := range documents(random) {
			d["text"] += own
			if event%3 > 0 {
				d["date"] = fmt.Sprintf("2026-04-%02d", 1+event%20+i)
			}
			add(d)
			if event%5 == 0 {
				add(d) // a copy
			}
		}
		add(map[string]string{"text": fmt.Sprintf("%s %s.", word(), word())})
	}
	add(map[string]string{"text": "…"})
	for _, line := range badLines {
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}
