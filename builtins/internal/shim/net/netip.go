package net

import (
	"net/netip"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Errors about addresses quote their parts and the whole; an address keeps its zone.
const (
	netipRate   = 2 * shim.QuoteRate
	netipCopies = 2 * shim.Quoted
)

func ReadingNetip[A any](f func(A, []byte) error) func(*shim.Env) func(A, []byte) error {
	return shim.Reading(netipRate, netipCopies, f)
}

func ParsingNetip[R any](f func(string) (R, error)) func(*shim.Env) func(string) (R, error) {
	return shim.Parsing(netipRate, netipCopies, f)
}

func MustParseNetip[R any](f func(string) (R, error)) func(*shim.Env) func(string) R {
	return shim.MustParse(netipRate, netipCopies, f)
}

func AddrWithZone(e *shim.Env) func(netip.Addr, string) netip.Addr {
	return func(a netip.Addr, zone string) netip.Addr {
		e.PayText(netipRate, len(zone))
		e.PayCopies(1, len(zone))
		return a.WithZone(zone)
	}
}
