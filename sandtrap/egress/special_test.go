package egress_test

import (
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"code.dny.dev/ssrf"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// oracle is generated from IANA's registries by others.
var oracle = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())

// publicServices are addresses that the registries have as public.
var publicServices = map[string]bool{"168.63.129.16": true}

// agrees compares an address with the oracle.
func agrees(t *testing.T, ip netip.Addr) {
	t.Helper()
	if publicServices[ip.Unmap().String()] || !ip.IsValid() {
		return
	}
	s, special := egress.SpecialOf(ip)
	if want := oracle.SafeAddr(ip.Unmap()); (want != nil) != special {
		t.Errorf("%s: special %v (%s), the oracle says %v", ip, special, s.Why, want)
	}
}

// TestSpecialEdges: the first and last address of each range, their neighbours, and those around the oracle's ranges.
func TestSpecialEdges(t *testing.T) {
	prefixes := append(append([]netip.Prefix{ssrf.IPv6GlobalUnicast, ssrf.IPv6NAT64Prefix}, ssrf.IPv4DeniedPrefixes...), ssrf.IPv6DeniedPrefixes...)
	for _, s := range egress.Specials() {
		prefixes = append(prefixes, s.Prefix)
	}
	if len(prefixes) < 60 {
		t.Fatalf("only %d ranges", len(prefixes))
	}
	for _, p := range prefixes {
		first, last := p.Masked().Addr(), lastOf(p)
		for _, ip := range []netip.Addr{first, last, first.Prev(), first.Next(), last.Prev(), last.Next()} {
			agrees(t, ip)
			if ip.Is4() {
				agrees(t, netip.AddrFrom16(ip.As16())) // mapped
			}
		}
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	ip, _ := netip.AddrFromSlice(b)
	return ip
}

// TestSpecialRandom: 100,000 addresses at random, of which half lie within or near a range.
func TestSpecialRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	specials := egress.Specials()
	public := 0
	for i := range 100_000 {
		var b [16]byte
		for j := range b {
			b[j] = byte(rng.Uint32())
		}
		ip := netip.AddrFrom16(b)
		switch i % 4 {
		case 0:
			ip = netip.AddrFrom4([4]byte(b[:4]))
		case 1:
			b[0] = b[0]&0x1f | 0x20 // global unicast
			ip = netip.AddrFrom16(b)
		case 2:
			p := specials[rng.IntN(len(specials))].Prefix
			s := p.Addr().AsSlice()
			for j := max(0, p.Bits()-2); j < len(s)*8; j++ {
				s[j/8] ^= byte(rng.Uint32()) & (0x80 >> (j % 8))
			}
			ip, _ = netip.AddrFromSlice(s)
		}
		agrees(t, ip)
		if _, special := egress.SpecialOf(ip); !special {
			public++
		}
	}
	if public < 30_000 || public > 70_000 {
		t.Errorf("%d of 100,000 are public: they try one side alone", public)
	}
}

// TestSpecialWhy: what is said of addresses that attackers use, and whether a rule may open them.
func TestSpecialWhy(t *testing.T) {
	for text, want := range map[string]struct {
		why   string
		opens egress.Use
	}{
		"10.1.2.3":                 {"private", egress.Private},
		"172.31.255.255":           {"private", egress.Private},
		"192.168.0.1":              {"private", egress.Private},
		"fd00::1":                  {"private", egress.Private},
		"100.64.0.1":               {"provider", egress.Private},
		"127.0.0.1":                {"loopback", egress.Loopback},
		"127.255.255.254":          {"loopback", egress.Loopback},
		"::1":                      {"loopback", egress.Loopback},
		"::ffff:127.0.0.1":         {"loopback", egress.Loopback},
		"::ffff:10.0.0.1":          {"private", egress.Private},
		"::ffff:169.254.169.254":   {"metadata", egress.Never},
		"169.254.169.254":          {"metadata", egress.Never},
		"169.254.170.2":            {"credentials", egress.Never},
		"fd00:ec2::254":            {"metadata", egress.Never},
		"fd20:ce::254":             {"metadata", egress.Never},
		"100.100.100.200":          {"metadata", egress.Never},
		"192.0.0.192":              {"metadata", egress.Never},
		"168.63.129.16":            {"Azure", egress.Never},
		"169.254.1.1":              {"link-local", egress.Never},
		"fe80::1%eth0":             {"link-local", egress.Never},
		"0.0.0.0":                  {"unspecified", egress.Never},
		"::":                       {"unspecified", egress.Never},
		"0.1.2.3":                  {"this network", egress.Never},
		"255.255.255.255":          {"broadcast", egress.Never},
		"224.0.0.1":                {"multicast", egress.Never},
		"ff02::1":                  {"multicast", egress.Never},
		"198.18.0.1":               {"benchmarks", egress.Never},
		"203.0.113.9":              {"documentation", egress.Never},
		"2001:db8::1":              {"documentation", egress.Never},
		"64:ff9b::a9fe:a9fe":       {"NAT64 (RFC 6052), and stands for 169.254.169.254, which is the metadata", egress.Never},
		"64:ff9b::808:808":         {"NAT64", egress.Never},
		"64:ff9b:1::a00:1":         {"stands for 10.0.0.1, which is private", egress.Never},
		"2002:7f00:1::":            {"6to4 (RFC 3056), and stands for 127.0.0.1, which is loopback", egress.Never},
		"2001:0:1:2:3:4:80ff:fffe": {"Teredo (RFC 4380), and stands for 127.0.0.1, which is loopback", egress.Never},
		"::7f00:1":                 {"stands for 127.0.0.1, which is loopback", egress.Never},
	} {
		s, special := egress.SpecialOf(netip.MustParseAddr(text))
		if !special || !strings.Contains(s.Why, want.why) || s.Opens != want.opens {
			t.Errorf("%s: %v, %q, %v; want %q, %v", text, special, s.Why, s.Opens, want.why, want.opens)
		}
	}
	for _, text := range []string{"8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111", "1.1.1.1", "100.63.255.255", "172.32.0.0"} {
		if s, special := egress.SpecialOf(netip.MustParseAddr(text)); special {
			t.Errorf("%s is %s", text, s.Why)
		}
	}
	if _, special := egress.SpecialOf(netip.Addr{}); !special {
		t.Error("no address is an address of the internet")
	}
}
