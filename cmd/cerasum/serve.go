package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/site"
	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"
)

// builtSite is the build's output folder for the page, relative to the repository root.
var builtSite = filepath.Join("build", "out", "site")

// serveFlags holds the flag values as given.
type serveFlags struct {
	host, site string
	allow      []string
	port       int
	check      bool
	api        apiFlags
}

// hosts are the host names to answer for.
func (f *serveFlags) hosts() []string { return append(slices.Clone(f.allow), f.host) }

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web page, and summaries over HTTP",
		Long: `Serve the built web page, which summarizes documents in the browser. By default it
can be reached only from this computer. With --host 0.0.0.0 every device in the network
can open it, at the addresses that are printed. Stop it with Ctrl-C.

The server answers for localhost, its own addresses and the name given with --host, and
refuses requests for other host names, so that no web site can reach the page under its
own name. If users reach the server under other names or addresses, allow these with
--allow-host.

Files are sent compressed where the build left such copies beside them (NAME.br, NAME.gz).

With --api, programs can request summaries from the same address; docs/edge.md and
GET /openapi.json describe the routes. GET /readyz and GET /metrics (in the Prometheus
text format) are for the operator. The page need not be built. Each request is logged
to standard error as a line of JSON, without its content and without addresses. If a
token is given, by --token-file or the environment variable CERASUM_TOKEN, requests must
present it as "Authorization: Bearer TOKEN".`,
		Example: `  cerasum serve
  cerasum serve --port 0 --site build/out/site
  cerasum serve --host 0.0.0.0 --allow-host summaries.example.org
  cerasum serve --api --token-file token.txt`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.check {
				return checkServer(cmd.Context(), f.host, f.port)
			}
			return a.serve(cmd, &f)
		},
	}
	cmd.Flags().IntVarP(&f.port, "port", "p", 8080, "port to listen on (0: any free port)")
	cmd.Flags().StringVar(&f.host, "host", "localhost", "host name or address to listen on")
	cmd.Flags().StringSliceVar(&f.allow, "allow-host", nil, "comma-separated host names and addresses to answer for, in addition to this computer's own")
	cmd.Flags().StringVar(&f.site, "site", "", "folder of the built page (default: "+filepath.ToSlash(builtSite)+" in the current folder or beside the program)")
	cmd.Flags().BoolVar(&f.check, "check", false, "instead of serving, report by the exit code whether a server is running")
	f.api.add(cmd)
	if err := cmd.MarkFlagDirname("site"); err != nil {
		panic("cerasum: no flag site: " + err.Error())
	}
	complete(cmd, "host", "localhost", "127.0.0.1", "0.0.0.0")
	return cmd
}

// serveWriteTimeout limits how long a client may take for the next part of a response:
// one that stalls holds a connection and a file.
var serveWriteTimeout = time.Minute

func (a *app) serve(cmd *cobra.Command, f *serveFlags) error {
	ctx, port, host := cmd.Context(), f.port, f.host
	if port < 0 || port > 65535 {
		return usage(hinted{fmt.Errorf("--port %d: want 0 to 65535", port), "0 selects any free port"})
	}
	for _, name := range f.allow {
		if name == "" || strings.ContainsAny(name, "/:@* ") && net.ParseIP(name) == nil {
			return usage(fmt.Errorf("--allow-host %q: want a host name or an address without a port", name))
		}
	}
	if err := f.api.check(cmd); err != nil {
		return err
	}
	handler := http.NotFoundHandler()
	dir, err := findSite(f.site)
	switch {
	case err == nil:
		// A Root does not follow links out of the folder.
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		handler = site.Handler(root.FS())
	case !f.api.on || f.site != "":
		return err
	default:
		dir = "the interface without the page"
	}
	handler = site.For(f.hosts(), handler)
	grace := 2 * time.Second
	if f.api.on {
		interfaces, closeAPI, err := a.openAPI(ctx, f)
		if err != nil {
			return err
		}
		defer closeAPI()
		handler = withAPI(interfaces, handler)
		grace += f.api.timeLimit + apiWait
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return hinted{fmt.Errorf("port %d is already in use", port), "choose another one with --port, or any free port with --port 0"}
	}
	if err != nil {
		return err
	}
	var errorLog *log.Logger // standard error
	if f.api.on {
		listener = netutil.LimitListener(listener, maxConnections)
		// Its messages about connections hold addresses.
		errorLog = log.New(io.Discard, "", 0)
	}
	server := &http.Server{
		Handler:           site.LimitWrites(handler, serveWriteTimeout),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      serveWriteTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          errorLog,
	}
	_, actual, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(a.stdout, "serving %s at %s (Ctrl-C to stop)\n", dir, strings.Join(addresses(host, actual), ", "))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// Responses in progress may finish, within the time limit.
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		return errors.Join(err, server.Close())
	}
	return errStopped
}

// addresses returns the addresses of a server: for one that listens on all addresses of
// this computer, localhost and those by which other devices reach it.
func addresses(host, port string) []string {
	hosts := []string{host}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		hosts = []string{"localhost"}
		// If they cannot be listed, there are none to show.
		all, _ := net.InterfaceAddrs()
		for _, one := range all {
			network, ok := one.(*net.IPNet)
			// 0.0.0.0 has no IPv6.
			if ok && network.IP.IsGlobalUnicast() && (ip.To4() == nil || network.IP.To4() != nil) {
				hosts = append(hosts, network.IP.String())
			}
		}
	}
	for i, one := range hosts {
		hosts[i] = "http://" + net.JoinHostPort(one, port) + "/"
	}
	return hosts
}

// checkServer asks a running server whether it is ready, or for the page if it
// serves nothing else: a health check for containers that hold only this program.
func checkServer(ctx context.Context, host string, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	address := "http://" + net.JoinHostPort(host, strconv.Itoa(port)) + "/"
	status := 0
	for _, path := range []string{"readyz", ""} {
		request, err := http.NewRequestWithContext(ctx, http.MethodHead, address+path, nil)
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
		if status = answer.StatusCode; status != http.StatusNotFound {
			break
		}
	}
	if status != http.StatusOK {
		return fmt.Errorf("no page at %s: %d %s", address, status, http.StatusText(status))
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
