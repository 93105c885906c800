package main

import (
	"context"
	"flag"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// becomeWorker makes this process a worker if a runner started it as the command of a
// PROCESS environment, that is, with the address of a provision service. It does the work
// of Beam's launcher, which copies the program to /tmp for each worker and leaves it there.
func becomeWorker(provision string) error {
	if provision == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	// The service asks for the identifier that the runner gave to this worker.
	ctx = grpcx.WriteWorkerID(ctx, flag.Lookup("id").Value.String())
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return err
	}
	pipeline, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	// What Beam's worker reads instead of flags.
	os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
	os.Setenv("STATUS_ENDPOINT", info.GetStatusEndpoint().GetUrl())
	for name, value := range map[string]string{
		"worker":           "true",
		"options":          pipeline,
		"control_endpoint": info.GetControlEndpoint().GetUrl(),
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(),
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// endWithParent calls end when a worker has lost the process that started it. A
// runner with PROCESS workers may be killed, or kill Beam's launcher, and leave the
// worker running; it would go on writing files that no job waits for.
func endWithParent(every time.Duration, end func()) {
	// A pipeline that a user started may outlive the user's shell.
	if worker := flag.Lookup("worker"); worker == nil || worker.Value.String() != "true" {
		return
	}
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(every)
		}
		end()
	}()
}
