package egress

import (
	"fmt"
	"net/netip"
)

// A Use says whether a rule may open special addresses.
type Use uint8

// The uses.
const (
	Never    Use = iota // no rule opens it
	Private             // Rule.Private opens it
	Loopback            // Rule.Loopback opens it
)

// A Special is a range of addresses that are not those of a host on the internet.
type Special struct {
	Prefix netip.Prefix
	Why    string
	Opens  Use
}

func special(prefix, why string, opens Use) Special {
	return Special{netip.MustParsePrefix(prefix), why, opens}
}

// specials are all of them: the first that has an address is the reason to refuse it. Ranges are those of IANA's registries
// of special-purpose addresses, of multicast, and all of version 6 that is not global unicast. Services that tell machines their
// credentials come first.
var specials = []Special{
	special("169.254.169.254/32", "the metadata service of clouds", Never),
	special("169.254.170.2/32", "the credentials service of AWS containers", Never),
	special("169.254.170.23/32", "the credentials service of AWS pods", Never),
	special("168.63.129.16/32", "the host service of Azure", Never),
	special("100.100.100.200/32", "the metadata service of Alibaba Cloud", Never),
	special("192.0.0.192/32", "the metadata service of Oracle Cloud", Never),
	special("fd00:ec2::/32", "the metadata and credentials services of AWS", Never),
	special("fd20:ce::254/128", "the metadata service of Google Cloud", Never),
	special("fd00:c1::a9fe:a9fe/128", "the metadata service of Oracle Cloud", Never),
	special("fd00:42::42/128", "the metadata service of Scaleway", Never),

	special("0.0.0.0/32", "unspecified, which is this host to some", Never),
	special("0.0.0.0/8", "of this network (RFC 791)", Never),
	special("10.0.0.0/8", "private (RFC 1918)", Private),
	special("100.64.0.0/10", "shared between customers of a provider (RFC 6598)", Private),
	special("127.0.0.0/8", "loopback (RFC 1122)", Loopback),
	special("169.254.0.0/16", "link-local (RFC 3927)", Never),
	special("172.16.0.0/12", "private (RFC 1918)", Private),
	special("192.0.0.0/24", "of IETF protocols (RFC 6890)", Never),
	special("192.0.2.0/24", "for documentation (RFC 5737)", Never),
	special("192.31.196.0/24", "of AS112 (RFC 7535)", Never),
	special("192.52.193.0/24", "of AMT relays (RFC 7450)", Never),
	special("192.88.99.0/24", "of 6to4 relays (RFC 7526)", Never),
	special("192.168.0.0/16", "private (RFC 1918)", Private),
	special("192.175.48.0/24", "of AS112 (RFC 7534)", Never),
	special("198.18.0.0/15", "for benchmarks (RFC 2544)", Never),
	special("198.51.100.0/24", "for documentation (RFC 5737)", Never),
	special("203.0.113.0/24", "for documentation (RFC 5737)", Never),
	special("224.0.0.0/4", "multicast (RFC 1112)", Never),
	special("255.255.255.255/32", "broadcast (RFC 919)", Never),
	special("240.0.0.0/4", "reserved (RFC 1112)", Never),

	special("::/128", "unspecified, which is this host to some", Never),
	special("::1/128", "loopback (RFC 4291)", Loopback),
	special("::/96", "compatible with version 4, deprecated (RFC 4291)", Never),
	special("64:ff9b::/96", "translated by NAT64 (RFC 6052)", Never),
	special("64:ff9b:1::/48", "translated by a local NAT64 (RFC 8215)", Never),
	special("100::/64", "discarded (RFC 6666)", Never),
	special("100:0:0:1::/64", "a dummy (RFC 9780)", Never),
	special("2001::/32", "of Teredo (RFC 4380)", Never),
	special("2001:2::/48", "for benchmarks (RFC 5180)", Never),
	special("2001:10::/28", "of ORCHID, deprecated (RFC 4843)", Never),
	special("2001:20::/28", "of ORCHIDv2 (RFC 7343)", Never),
	special("2001::/23", "of IETF protocols (RFC 2928)", Never),
	special("2001:db8::/32", "for documentation (RFC 3849)", Never),
	special("2002::/16", "of 6to4 (RFC 3056)", Never),
	special("2620:4f:8000::/48", "of AS112 (RFC 7534)", Never),
	special("3fff::/20", "for documentation (RFC 9637)", Never),
	special("5f00::/16", "of segment routing (RFC 9602)", Never),
	special("fc00::/7", "unique local, which is private (RFC 4193)", Private),
	special("fe80::/10", "link-local (RFC 4291)", Never),
	special("fec0::/10", "site-local, deprecated (RFC 3879)", Never),
	special("ff00::/8", "multicast (RFC 4291)", Never),
	special("::/3", "not global unicast (RFC 4291)", Never),
	special("4000::/2", "not global unicast (RFC 4291)", Never),
	special("8000::/1", "not global unicast (RFC 4291)", Never),
}

// Specials are all ranges of special addresses. The first that has an address says why it is refused.
func Specials() []Special { return append([]Special(nil), specials...) }

// SpecialOf is the range of a special address. An address that is mapped from version 4 is that of version 4. One that contains an
// address of version 4 in another way is special, whatever that is; Why says if that is special itself.
func SpecialOf(ip netip.Addr) (Special, bool) {
	if ip = ip.Unmap().WithZone(""); !ip.IsValid() {
		return Special{Why: "not an address"}, true
	}
	for _, s := range specials {
		if !s.Prefix.Contains(ip) {
			continue
		}
		if inner, ok := embedded(ip); ok {
			if in, ok := SpecialOf(inner); ok {
				s.Why += fmt.Sprintf(", and stands for %s, which is %s", inner, in.Why)
			}
		}
		return s, true
	}
	return Special{}, false
}

// An embedding is where addresses of version 6 contain one of version 4.
type embedding struct {
	prefix netip.Prefix
	at     int
	flip   byte // that its bytes are combined with
}

var embeddings = []embedding{
	{netip.MustParsePrefix("::/96"), 12, 0},
	{netip.MustParsePrefix("64:ff9b::/96"), 12, 0},
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12, 0},
	{netip.MustParsePrefix("2001::/32"), 12, 0xff},
	{netip.MustParsePrefix("2002::/16"), 2, 0},
}

// embedded is the address of version 4 that one of version 6 contains, if it does.
func embedded(ip netip.Addr) (netip.Addr, bool) {
	if ip.Is4() || ip.IsUnspecified() || ip.IsLoopback() {
		return netip.Addr{}, false
	}
	for _, e := range embeddings {
		if e.prefix.Contains(ip) {
			b := ip.As16()
			inner := [4]byte(b[e.at:])
			for i := range inner {
				inner[i] ^= e.flip
			}
			return netip.AddrFrom4(inner), true
		}
	}
	return netip.Addr{}, false
}
