package std

import (
	"net"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimerrors "github.com/sandtrap-go/sandtrap/builtins/internal/shim/errors"
	shimnet "github.com/sandtrap-go/sandtrap/builtins/internal/shim/net"
)

var stdNet = rows.Package{
	Path: "net",
	Bounded: "AddrError.Error AddrError.Temporary AddrError.Timeout DNSError.Error DNSError.Temporary DNSError.Timeout DNSError.Unwrap HardwareAddr.String " +
		"IP.AppendText IP.Equal IP.IsGlobalUnicast IP.IsInterfaceLocalMulticast IP.IsLinkLocalMulticast IP.IsLinkLocalUnicast IP.IsLoopback " +
		"IP.IsMulticast IP.IsPrivate IP.IsUnspecified IP.MarshalText IP.Mask IP.String IP.To16 IP.To4 IPAddr.Network IPAddr.String IPMask.Size IPMask.String " +
		"IPNet.Contains IPNet.Network IPNet.String InvalidAddrError.Error InvalidAddrError.Temporary InvalidAddrError.Timeout OpError.Error OpError.Unwrap " +
		"ParseError.Error ParseError.Temporary ParseError.Timeout TCPAddr.AddrPort TCPAddr.Network TCPAddr.String UDPAddr.AddrPort UDPAddr.Network UDPAddr.String " +
		"UnixAddr.Network UnixAddr.String UnknownNetworkError.Error UnknownNetworkError.Temporary UnknownNetworkError.Timeout " +
		"CIDRMask IPv4 IPv4Mask JoinHostPort ParseCIDR ParseIP ParseMAC SplitHostPort TCPAddrFromAddrPort UDPAddrFromAddrPort",
	Prints: "*",
	Members: []rows.Member{
		{Name: "Addr", Value: (*net.Addr)(nil)},
		{Name: "AddrError", Value: (*net.AddrError)(nil), With: "Addr Err Error Temporary Timeout"},
		{Name: "DNSError", Value: (*net.DNSError)(nil), With: "Err Error IsNotFound IsTemporary IsTimeout Name Server Temporary Timeout Unwrap UnwrapErr"},
		{Name: "Error", Value: (*net.Error)(nil)},
		{Name: "HardwareAddr", Value: (*net.HardwareAddr)(nil), With: "String"},
		{Name: "IP", Value: (*net.IP)(nil), With: "AppendText Equal IsGlobalUnicast IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast IsPrivate IsUnspecified MarshalText Mask String To16 To4"},
		{Name: "IP.DefaultMask", Value: shimnet.DefaultMask, Why: "each call makes its own"},
		{Name: "IP.UnmarshalText", Value: shimnet.ReadingNetip((*net.IP).UnmarshalText), Why: "an error keeps a copy of the text"},
		{Name: "IPAddr", Value: (*net.IPAddr)(nil), With: "IP Network String Zone"},
		{Name: "IPMask", Value: (*net.IPMask)(nil), With: "Size String"},
		{Name: "IPNet", Value: (*net.IPNet)(nil), With: "Contains IP Mask Network String"},
		{Name: "InvalidAddrError", Value: (*net.InvalidAddrError)(nil), With: "Error Temporary Timeout"},
		{Name: "OpError", Value: (*net.OpError)(nil), With: "Err Error Net Op Temporary Timeout Unwrap"},
		{Name: "OpError.Temporary", Value: shimerrors.TemporaryOf[*net.OpError], Why: "an error may be in itself"},
		{Name: "OpError.Timeout", Value: shimerrors.TimeoutOf[*net.OpError], Why: "an error may be in itself"},
		{Name: "ParseError", Value: (*net.ParseError)(nil), With: "Error Temporary Text Timeout Type"},
		{Name: "TCPAddr", Value: (*net.TCPAddr)(nil), With: "AddrPort IP Network Port String Zone"},
		{Name: "UDPAddr", Value: (*net.UDPAddr)(nil), With: "AddrPort IP Network Port String Zone"},
		{Name: "UnixAddr", Value: (*net.UnixAddr)(nil), With: "Name Net Network String"},
		{Name: "UnknownNetworkError", Value: (*net.UnknownNetworkError)(nil), With: "Error Temporary Timeout"},

		{Name: "CIDRMask", Value: net.CIDRMask},
		{Name: "IPv4", Value: net.IPv4},
		{Name: "IPv4Mask", Value: net.IPv4Mask},
		{Name: "JoinHostPort", Value: net.JoinHostPort},
		{Name: "ParseCIDR", Value: net.ParseCIDR},
		{Name: "ParseIP", Value: net.ParseIP},
		{Name: "ParseMAC", Value: net.ParseMAC},
		{Name: "SplitHostPort", Value: net.SplitHostPort},
		{Name: "TCPAddrFromAddrPort", Value: net.TCPAddrFromAddrPort},
		{Name: "UDPAddrFromAddrPort", Value: net.UDPAddrFromAddrPort},

		{Name: "ErrClosed", Value: &net.ErrClosed},
		{Name: "IPv4allrouter", Value: shimnet.OwnIP(net.IPv4allrouter), Why: "each run has its own"},
		{Name: "IPv4allsys", Value: shimnet.OwnIP(net.IPv4allsys), Why: "each run has its own"},
		{Name: "IPv4bcast", Value: shimnet.OwnIP(net.IPv4bcast), Why: "each run has its own"},
		{Name: "IPv4zero", Value: shimnet.OwnIP(net.IPv4zero), Why: "each run has its own"},
		{Name: "IPv6interfacelocalallnodes", Value: shimnet.OwnIP(net.IPv6interfacelocalallnodes), Why: "each run has its own"},
		{Name: "IPv6linklocalallnodes", Value: shimnet.OwnIP(net.IPv6linklocalallnodes), Why: "each run has its own"},
		{Name: "IPv6linklocalallrouters", Value: shimnet.OwnIP(net.IPv6linklocalallrouters), Why: "each run has its own"},
		{Name: "IPv6loopback", Value: shimnet.OwnIP(net.IPv6loopback), Why: "each run has its own"},
		{Name: "IPv6unspecified", Value: shimnet.OwnIP(net.IPv6unspecified), Why: "each run has its own"},
		{Name: "IPv6zero", Value: shimnet.OwnIP(net.IPv6zero), Why: "each run has its own"},

		{Name: "IPv4len", Value: rows.Literal("4")},
		{Name: "IPv6len", Value: rows.Literal("16")},
	},
	Denied: []rows.Denial{
		{Names: "Conn Dial DialIP DialTCP DialTimeout DialUDP DialUnix Dialer ErrWriteToConnected FileConn FilePacketConn IPConn KeepAliveConfig PacketConn TCPConn UDPConn UnixConn",
			Why: "scripts make no connections of their own, but requests, where the policy has a Network", Instead: "net/http"},
		{Names: "FileListener Listen ListenConfig ListenIP ListenMulticastUDP ListenPacket ListenTCP ListenUDP ListenUnix ListenUnixgram Listener TCPListener UnixListener",
			Why: "scripts wait for no connections"},
		{Names: "DNSConfigError DefaultResolver LookupAddr LookupCNAME LookupHost LookupIP LookupMX LookupNS LookupPort LookupSRV LookupTXT MX NS ResolveIPAddr ResolveTCPAddr ResolveUDPAddr ResolveUnixAddr Resolver SRV",
			Why: "scripts resolve no names: the host does so for requests of net/http", Instead: "ParseIP, or net/netip"},
		{Names: "FlagBroadcast FlagLoopback FlagMulticast FlagPointToPoint FlagRunning FlagUp Flags Interface InterfaceAddrs InterfaceByIndex InterfaceByName Interfaces",
			Why: "the interfaces are those of the host"},
		{Names: "Buffers Pipe", Why: "it is for connections", Instead: "io.MultiReader or io.Pipe"},
		{Names: "OpError.Addr OpError.Source", Why: "errors of requests do not hold addresses of connections"},
	},
}
