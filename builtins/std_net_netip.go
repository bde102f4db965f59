package builtins

import "net/netip"

var stdNetNetip = Package{
	Path: "net/netip",
	Bounded: "Addr.AppendBinary Addr.AppendText Addr.AppendTo Addr.As16 Addr.As4 Addr.AsSlice Addr.BitLen Addr.Compare Addr.Is4 Addr.Is4In6 Addr.Is6 Addr.IsGlobalUnicast " +
		"Addr.IsInterfaceLocalMulticast Addr.IsLinkLocalMulticast Addr.IsLinkLocalUnicast Addr.IsLoopback Addr.IsMulticast Addr.IsPrivate Addr.IsUnspecified Addr.IsValid Addr.Less " +
		"Addr.MarshalBinary Addr.MarshalText Addr.Next Addr.Prefix Addr.Prev Addr.String Addr.StringExpanded Addr.Unmap Addr.Zone " +
		"AddrPort.Addr AddrPort.AppendBinary AddrPort.AppendText AddrPort.AppendTo AddrPort.Compare AddrPort.IsValid AddrPort.MarshalBinary AddrPort.MarshalText AddrPort.Port AddrPort.String " +
		"Prefix.Addr Prefix.AppendBinary Prefix.AppendText Prefix.AppendTo Prefix.Bits Prefix.Compare Prefix.Contains Prefix.IsSingleIP " +
		"Prefix.IsValid Prefix.MarshalBinary Prefix.MarshalText Prefix.Masked Prefix.Overlaps Prefix.String AddrFrom16 AddrFrom4 AddrFromSlice " +
		"AddrPortFrom IPv4Unspecified IPv6LinkLocalAllNodes IPv6LinkLocalAllRouters IPv6Loopback IPv6Unspecified PrefixFrom",
	Prints: "*",
	Members: []Member{
		{Name: "Addr", Value: (*netip.Addr)(nil), With: "AppendBinary AppendText AppendTo As16 As4 AsSlice BitLen Compare Is4 Is4In6 Is6 IsGlobalUnicast IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast IsPrivate IsUnspecified IsValid Less MarshalBinary MarshalText Next Prefix Prev String StringExpanded Unmap Zone"},
		{Name: "Addr.UnmarshalBinary", Value: readingNetip((*netip.Addr).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "Addr.UnmarshalText", Value: readingNetip((*netip.Addr).UnmarshalText), Why: "an error may keep copies of the text"},
		{Name: "Addr.WithZone", Value: addrWithZone, Why: "an address keeps a copy of its zone"},
		{Name: "AddrPort", Value: (*netip.AddrPort)(nil), With: "Addr AppendBinary AppendText AppendTo Compare IsValid MarshalBinary MarshalText Port String"},
		{Name: "AddrPort.UnmarshalBinary", Value: readingNetip((*netip.AddrPort).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "AddrPort.UnmarshalText", Value: readingNetip((*netip.AddrPort).UnmarshalText), Why: "an error may keep copies of the text"},
		{Name: "Prefix", Value: (*netip.Prefix)(nil), With: "Addr AppendBinary AppendText AppendTo Bits Compare Contains IsSingleIP IsValid MarshalBinary MarshalText Masked Overlaps String"},
		{Name: "Prefix.UnmarshalBinary", Value: readingNetip((*netip.Prefix).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "Prefix.UnmarshalText", Value: readingNetip((*netip.Prefix).UnmarshalText), Why: "an error may keep copies of the text"},

		{Name: "AddrFrom16", Value: netip.AddrFrom16},
		{Name: "AddrFrom4", Value: netip.AddrFrom4},
		{Name: "AddrFromSlice", Value: netip.AddrFromSlice},
		{Name: "AddrPortFrom", Value: netip.AddrPortFrom},
		{Name: "IPv4Unspecified", Value: netip.IPv4Unspecified},
		{Name: "IPv6LinkLocalAllNodes", Value: netip.IPv6LinkLocalAllNodes},
		{Name: "IPv6LinkLocalAllRouters", Value: netip.IPv6LinkLocalAllRouters},
		{Name: "IPv6Loopback", Value: netip.IPv6Loopback},
		{Name: "IPv6Unspecified", Value: netip.IPv6Unspecified},
		{Name: "MustParseAddr", Value: mustParseNetip(netip.ParseAddr), Why: "an error may keep copies of the text"},
		{Name: "MustParseAddrPort", Value: mustParseNetip(netip.ParseAddrPort), Why: "an error may keep copies of the text"},
		{Name: "MustParsePrefix", Value: mustParseNetip(netip.ParsePrefix), Why: "an error may keep copies of the text"},
		{Name: "ParseAddr", Value: parsingNetip(netip.ParseAddr), Why: "an error may keep copies of the text"},
		{Name: "ParseAddrPort", Value: parsingNetip(netip.ParseAddrPort), Why: "an error may keep copies of the text"},
		{Name: "ParsePrefix", Value: parsingNetip(netip.ParsePrefix), Why: "an error may keep copies of the text"},
		{Name: "PrefixFrom", Value: netip.PrefixFrom},
	},
}
