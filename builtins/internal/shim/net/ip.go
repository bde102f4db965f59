package net

import (
	"net"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// OwnIP is for variables of the package: all of the process use their bytes.
func OwnIP(ip net.IP) func(*shim.Env) net.IP {
	return func(*shim.Env) net.IP { return slices.Clone(ip) }
}

// DefaultMask gives a copy of the mask, of which the package has one for all.
func DefaultMask(*shim.Env) func(net.IP) net.IPMask {
	return func(ip net.IP) net.IPMask { return slices.Clone(ip.DefaultMask()) }
}

// IPMarshalText and IPAppendText charge for the error about an address of another length, which quotes it.
func IPMarshalText(e *shim.Env) func(net.IP) ([]byte, error) {
	return func(ip net.IP) ([]byte, error) {
		payText(e, ip)
		return ip.MarshalText()
	}
}

func IPAppendText(e *shim.Env) func(net.IP, []byte) ([]byte, error) {
	return func(ip net.IP, b []byte) ([]byte, error) {
		payText(e, ip)
		return ip.AppendText(b)
	}
}

func payText(e *shim.Env, ip net.IP) {
	if len(ip) > net.IPv6len {
		e.Charge(ipText(ip))
	}
}

func init() {
	shim.HasText(func(_ *shim.Env, n *net.IPNet) (int64, int64) { return ipText(n.IP) + ipText(net.IP(n.Mask)), 0 })
	shim.HasText(func(_ *shim.Env, a *net.IPAddr) (int64, int64) { return ipText(a.IP) + int64(len(a.Zone)), 0 })
	shim.HasText(func(_ *shim.Env, a *net.TCPAddr) (int64, int64) { return ipText(a.IP) + int64(len(a.Zone)), 0 })
	shim.HasText(func(_ *shim.Env, a *net.UDPAddr) (int64, int64) { return ipText(a.IP) + int64(len(a.Zone)), 0 })
	shim.HasText(func(_ *shim.Env, a *net.UnixAddr) (int64, int64) { return int64(len(a.Name)), 0 })
}

// ipText is the most that the text of an address takes: two digits for each byte of one that has an odd length.
func ipText(ip net.IP) int64 { return 2*int64(len(ip)) + 24 }
