package site

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// For answers only requests for this computer's loopback names, the address that a
// request came in at, and the given hosts. Otherwise any web site could let its own name
// lead to this server (DNS rebinding), and its scripts would be of the page's origin.
func For(hosts []string, handler http.Handler) http.Handler {
	answers := Answers(hosts)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answers(r) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			http.Error(w, "this server does not answer for this host name; cerasum serve --allow-host names others", http.StatusMisdirectedRequest)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// Answers returns a function that reports whether a request is for a host name that [For]
// answers for.
func Answers(hosts []string) func(*http.Request) bool {
	allowed := make([]string, len(hosts))
	for i, host := range hosts {
		allowed[i] = hostName(host)
	}
	return func(r *http.Request) bool {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		name := hostName(host)
		return isLoopback(name) || slices.Contains(allowed, name) || name == localAddress(r)
	}
}

// localAddress returns the address of this computer that a request came in at: where
// the server listens on all of them, other devices open the page by it. No site can have
// an address as its name.
func localAddress(r *http.Request) string {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return ""
	}
	return hostName(address.IP.String())
}

// hostName returns a name or an address in one form.
func hostName(host string) string {
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if ip := net.ParseIP(host); ip != nil {
		return ip.String()
	}
	return host
}

// isLoopback reports whether a name leads to this computer wherever it is
// resolved (RFC 6761).
func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback()
}
