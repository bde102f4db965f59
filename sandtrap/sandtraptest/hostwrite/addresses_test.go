package hostwrite

import (
	"net"
	"testing"
)

// TestAddresses: package net has one array of bytes for each of its addresses and masks, which scripts do not get.
func TestAddresses(t *testing.T) {
	masks := func() []byte {
		return append(append(append([]byte(nil), net.IPv4(10, 0, 0, 1).DefaultMask()...), net.IPv4(130, 0, 0, 1).DefaultMask()...), net.IPv4(200, 0, 0, 1).DefaultMask()...)
	}
	all := func() string {
		return string(masks()) + string(net.IPv4zero) + string(net.IPv4bcast) + string(net.IPv4allsys) + string(net.IPv4allrouter) +
			string(net.IPv6zero) + string(net.IPv6unspecified) + string(net.IPv6loopback) + string(net.IPv6interfacelocalallnodes) +
			string(net.IPv6linklocalallnodes) + string(net.IPv6linklocalallrouters)
	}
	before := all()
	res, err := run(t, standard(), `import "net"
for _, b := range [][]byte{net.IPv4(10, 0, 0, 1).DefaultMask(), net.IPv4(130, 0, 0, 1).DefaultMask(), net.IPv4(200, 0, 0, 1).DefaultMask(),
	net.IPv4zero, net.IPv4zero.To4(), net.IPv4bcast, net.IPv4allsys, net.IPv4allrouter, net.IPv6zero, net.IPv6unspecified, net.IPv6loopback.To16(),
	net.IPv6interfacelocalallnodes, net.IPv6linklocalallnodes, net.IPv6linklocalallrouters} {
	for i := range b { b[i] ^= 7 }
}
copy(net.IPv4bcast, net.IPv4zero)
tried := 1`)
	if tried, _ := res.Vars["tried"].(int); err != nil || tried != 1 {
		t.Error(err)
	}
	if all() != before {
		t.Error("addresses of the process are others now")
	}
}
