package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/site"
	"github.com/spf13/cobra"
)

// builtSite is the build's output folder for the page, relative to the repository root.
var builtSite = filepath.Join("build", "out", "site")

func (a *app) serveCommand() *cobra.Command {
	var host, dir string
	var allow []string
	var port int
	var check bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web page locally",
		Long: `Serve the built web page, which summarizes documents in the browser. It can be
reached only from this computer, unless --host says otherwise. Stop it with Ctrl-C.

Requests for host names other than this computer's own and that of --host are
refused, so that no web site can reach the page under its own name. If users reach
the server under other names or addresses, allow these with --allow-host.`,
		Example: `  cerasum serve
  cerasum serve --port 0 --site build/out/site
  cerasum serve --host 0.0.0.0 --allow-host summaries.example.org`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return checkServer(cmd.Context(), host, port)
			}
			return a.serve(cmd.Context(), host, allow, port, dir)
		},
	}
	cmd.Flags().IntVarP(&port, "port", "p", 8080, "port to listen on (0: any free port)")
	cmd.Flags().StringVar(&host, "host", "localhost", "host name or address to listen on")
	cmd.Flags().StringSliceVar(&allow, "allow-host", nil, "comma-separated host names and addresses to answer for, besides this computer's own and --host")
	cmd.Flags().StringVar(&dir, "site", "", "folder of the built page (default: "+filepath.ToSlash(builtSite)+" in the current folder or beside the program)")
	cmd.Flags().BoolVar(&check, "check", false, "instead of serving, report by the exit code whether a server is running")
	if err := cmd.MarkFlagDirname("site"); err != nil {
		panic("cerasum: no flag site: " + err.Error())
	}
	complete(cmd, "host", "localhost", "127.0.0.1", "0.0.0.0")
	return cmd
}

// serveWriteTimeout limits how long a response may take: a slow reader holds a
// connection and a file.
var serveWriteTimeout = time.Minute

func (a *app) serve(ctx context.Context, host string, allow []string, port int, dir string) error {
	if port < 0 || port > 65535 {
		return usage(hinted{fmt.Errorf("--port %d: want 0 to 65535", port), "0 selects any free port"})
	}
	for _, name := range allow {
		if name == "" || strings.ContainsAny(name, "/:@* ") && net.ParseIP(name) == nil {
			return usage(fmt.Errorf("--allow-host %q: want a host name or an address without a port", name))
		}
	}
	dir, err := findSite(dir)
	if err != nil {
		return err
	}
	// A Root does not follow links out of the folder.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return hinted{fmt.Errorf("port %d is already in use", port), "choose another one with --port, or any free port with --port 0"}
	}
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           site.For(append(allow, host), site.Handler(root.FS())),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      serveWriteTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	_, actual, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(a.stdout, "serving %s at http://%s/ (Ctrl-C to stop)\n", dir, net.JoinHostPort(host, actual))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// Responses in progress may finish, within the time limit.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(err, server.Close())
	}
	return errStopped
}

// checkServer requests the page from a running server: a health check for
// containers that hold only this program.
func checkServer(ctx context.Context, host string, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	address := "http://" + net.JoinHostPort(host, strconv.Itoa(port)) + "/"
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no page at %s: %w", address, err)
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("no page at %s: %s", address, answer.Status)
	}
	return nil
}

// errStopped ends a server that was interrupted; it is not reported as an error.
var errStopped = errors.New("stopped")

// findSite returns the folder of the built page.
func findSite(dir string) (string, error) {
	tried := []string{dir}
	if dir == "" {
		tried = []string{builtSite}
		if exe, err := os.Executable(); err == nil {
			if real, err := filepath.EvalSymlinks(exe); err == nil {
				exe = real
			}
			bin := filepath.Dir(exe)
			tried = append(tried, filepath.Join(bin, "site"), filepath.Join(bin, builtSite), filepath.Join(bin, "..", builtSite))
		}
	}
	for _, d := range tried {
		if info, err := os.Stat(filepath.Join(d, "index.html")); err == nil && info.Mode().IsRegular() {
			return d, nil
		}
	}
	return "", hinted{fmt.Errorf("%s: no built page", tried[0]), "run \"make site\" in the repository, or name the folder with --site"}
}
