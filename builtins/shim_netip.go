package builtins

import "net/netip"

// Errors about addresses quote their parts and the whole; an address keeps its zone.
const (
	netipRate   = 2 * quoteRate
	netipCopies = 2 * quoted
)

func readingNetip[A any](f func(A, []byte) error) func(*Env) func(A, []byte) error {
	return reading(netipRate, netipCopies, f)
}

func parsingNetip[R any](f func(string) (R, error)) func(*Env) func(string) (R, error) {
	return parsing(netipRate, netipCopies, f)
}

func mustParseNetip[R any](f func(string) (R, error)) func(*Env) func(string) R {
	return mustParse(netipRate, netipCopies, f)
}

func addrWithZone(e *Env) func(netip.Addr, string) netip.Addr {
	return func(a netip.Addr, zone string) netip.Addr {
		e.payText(netipRate, len(zone))
		e.payCopies(1, len(zone))
		return a.WithZone(zone)
	}
}
