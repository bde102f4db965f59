package cli

import (
	"net"
	"net/netip"
	"net/url"
	"os"
)

// joinAt is a URL by which workers reach a server that listens at one. That of all addresses of this machine is none, so it has the name of the machine
// instead, or an address of an interface; it is guessed then, as others may know the machine by another name.
func joinAt(text string) (at string, guessed bool) {
	u, err := url.Parse(text)
	if err != nil {
		return text, false
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err != nil || !ip.IsUnspecified() {
		return text, false
	}
	u.Host = net.JoinHostPort(ownName(), u.Port())
	return u.String(), true
}

// ownName is the name of this machine, or an address of it.
func ownName() string {
	if name, err := os.Hostname(); err == nil && name != "" && name != "localhost" {
		return name
	}
	all, _ := net.InterfaceAddrs() // then there are none
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return n.IP.String()
		}
	}
	return "localhost"
}
