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
	"syscall"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/site"
	"github.com/spf13/cobra"
)

// builtSite is where the build leaves the page, from the repository's root.
var builtSite = filepath.Join("build", "out", "site")

func (a *app) serveCommand() *cobra.Command {
	var host, dir string
	var port int
	var check bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page on this machine",
		Long: `Serve the built page, where documents are summarized in the browser. Only this
machine can reach it unless --host says otherwise. Ctrl-C ends it.`,
		Example: `  cerasum serve
  cerasum serve --port 0 --site build/out/site`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return checkServer(cmd.Context(), host, port)
			}
			return a.serve(cmd.Context(), host, port, dir)
		},
	}
	cmd.Flags().IntVarP(&port, "port", "p", 8080, "port to listen on; 0 for any that is free")
	cmd.Flags().StringVar(&host, "host", "localhost", "name or address to listen on")
	cmd.Flags().StringVar(&dir, "site", "", "folder of the built page (default: "+filepath.ToSlash(builtSite)+" here or beside the program)")
	cmd.Flags().BoolVar(&check, "check", false, "serve nothing, but tell by the exit code whether a server answers there")
	if err := cmd.MarkFlagDirname("site"); err != nil {
		panic("cerasum: no flag site: " + err.Error())
	}
	complete(cmd, "host", "localhost", "127.0.0.1", "0.0.0.0")
	return cmd
}

func (a *app) serve(ctx context.Context, host string, port int, dir string) error {
	if port < 0 || port > 65535 {
		return usage(hinted{fmt.Errorf("--port %d: no such port", port), "want a number from 1 to 65535, or 0 for any that is free"})
	}
	dir, err := findSite(dir)
	if err != nil {
		return err
	}
	// A root lets no link lead out of the folder.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return hinted{fmt.Errorf("port %d is taken by another program", port), "choose another with --port, or --port 0 for any that is free"}
	}
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           site.Handler(root.FS()),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	_, actual, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(a.stdout, "cerasum serves %s at http://%s/ (Ctrl-C ends it)\n", dir, net.JoinHostPort(host, actual))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// Answers under way may finish, but not for long.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(err, server.Close())
	}
	return errStopped
}

// checkServer asks a running server for the page: a container's health check,
// where nothing but this program is installed.
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

// errStopped ends a command that runs until it is interrupted: in good order.
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
	return "", hinted{fmt.Errorf("no built page in %s", tried[0]), "run \"make site\" in the repository, or name the folder with --site"}
}
