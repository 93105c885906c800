package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
)

// TestEndWithParent: the parent starts a worker and is killed; the worker ends.
// The test program plays both, as TestMain says.
func TestEndWithParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps the number of a parent that has ended")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), roleVariable+"=parent")
	parent.Stdout = w
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	begun := make([]byte, len(workerBegun))
	if _, err := io.ReadFull(r, begun); err != nil || string(begun) != workerBegun {
		t.Fatalf("%q, %v", begun, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // killed
	// The pipe ends when the last process that can write to it has ended.
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "ended" {
		t.Errorf("%q, %v", rest, err)
	}
}

const (
	roleVariable = "CERASUM_TEST_ROLE"
	workerBegun  = "begun "
)

// playRole runs this program as the parent or the worker of TestEndWithParent.
func playRole(role string) {
	switch role {
	case "parent":
		worker := exec.Command(os.Args[0])
		worker.Env = append(os.Environ(), roleVariable+"=worker")
		worker.Stdout = os.Stdout
		if err := worker.Run(); err != nil {
			fmt.Print(err)
		}
	case "worker":
		if err := flag.Set("worker", "true"); err != nil {
			fmt.Print(err)
		}
		endWithParent(10*time.Millisecond, func() {
			fmt.Print("ended")
			os.Exit(0)
		})
		fmt.Print(workerBegun)
		time.Sleep(time.Minute)
		fmt.Print("still here")
	}
	os.Exit(0)
}

// provisions is the service of a runner that tells workers where to connect.
type provisions struct {
	fnpb.UnimplementedProvisionServiceServer
}

func (provisions) GetProvisionInfo(ctx context.Context, _ *fnpb.GetProvisionInfoRequest) (*fnpb.GetProvisionInfoResponse, error) {
	if m, _ := metadata.FromIncomingContext(ctx); !slices.Equal(m.Get("worker_id"), []string{"7-1"}) {
		return nil, status.Error(codes.InvalidArgument, "no worker_id")
	}
	options, err := structpb.NewStruct(map[string]any{"beam:option:parallelism:v1": 2})
	return &fnpb.GetProvisionInfoResponse{Info: &fnpb.ProvisionInfo{
		PipelineOptions:    options,
		ControlEndpoint:    &pipepb.ApiServiceDescriptor{Url: "localhost:1"},
		LoggingEndpoint:    &pipepb.ApiServiceDescriptor{Url: "localhost:2"},
		RunnerCapabilities: []string{"a", "b"},
	}}, err
}

func TestBecomeWorker(t *testing.T) {
	for _, name := range []string{"worker", "id", "options", "control_endpoint", "logging_endpoint"} {
		f := flag.Lookup(name)
		before := f.Value.String()
		t.Cleanup(func() { _ = f.Value.Set(before) })
	}
	t.Setenv("RUNNER_CAPABILITIES", "")
	t.Setenv("STATUS_ENDPOINT", "")
	if err := becomeWorker(""); err != nil || flag.Lookup("worker").Value.String() != "false" {
		t.Errorf("without a provision service: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	fnpb.RegisterProvisionServiceServer(server, provisions{})
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	if err := becomeWorker(listener.Addr().String()); err == nil || !strings.Contains(err.Error(), "no worker_id") {
		t.Errorf("without an identifier: %v", err)
	}
	_ = flag.Set("id", "7-1") // a flag of Beam
	if err := becomeWorker(listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"worker": "true", "control_endpoint": "localhost:1", "logging_endpoint": "localhost:2"} {
		if got := flag.Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %q, want %q", name, got, want)
		}
	}
	if got := flag.Lookup("options").Value.String(); !strings.Contains(got, `"beam:option:parallelism:v1"`) {
		t.Errorf("--options is %s", got)
	}
	if got := os.Getenv("RUNNER_CAPABILITIES"); got != "a b" {
		t.Errorf("RUNNER_CAPABILITIES is %q", got)
	}
}
