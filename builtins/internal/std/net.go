package std

import (
	"net"
	"net/http/cookiejar"
	"net/mail"
	"net/netip"
	"net/textproto"
	"net/url"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimerrors "github.com/sandtrap-go/sandtrap/builtins/internal/shim/errors"
	shimhttp "github.com/sandtrap-go/sandtrap/builtins/internal/shim/http"
	shimnet "github.com/sandtrap-go/sandtrap/builtins/internal/shim/net"
	shimtemplate "github.com/sandtrap-go/sandtrap/builtins/internal/shim/template"
)

var stdNet = rows.Package{
	Path: "net",
	Bounded: "AddrError.Error AddrError.Temporary AddrError.Timeout DNSError.Error DNSError.Temporary DNSError.Timeout DNSError.Unwrap HardwareAddr.String " +
		"IP.Equal IP.IsGlobalUnicast IP.IsInterfaceLocalMulticast IP.IsLinkLocalMulticast IP.IsLinkLocalUnicast IP.IsLoopback " +
		"IP.IsMulticast IP.IsPrivate IP.IsUnspecified IP.Mask IP.String IP.To16 IP.To4 IPAddr.Network IPAddr.String IPMask.Size IPMask.String " +
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
		{Name: "IP", Value: (*net.IP)(nil), With: "Equal IsGlobalUnicast IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast IsPrivate IsUnspecified Mask String To16 To4"},
		{Name: "IP.AppendText", Value: shimnet.IPAppendText, Why: "an error keeps a text of the address"},
		{Name: "IP.DefaultMask", Value: shimnet.DefaultMask, Why: "each call makes its own"},
		{Name: "IP.MarshalText", Value: shimnet.IPMarshalText, Why: "an error keeps a text of the address"},
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

var stdNetHttpCookiejar = rows.Package{
	Path:    "net/http/cookiejar",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Jar", Value: (*shimhttp.Jar)(nil), With: "Cookies SetCookies", Needs: "network", Why: "asks a list of the script's while it holds no lock"},
		{Name: "Options", Value: (*cookiejar.Options)(nil), With: "PublicSuffixList", Needs: "network"},
		{Name: "PublicSuffixList", Value: (*cookiejar.PublicSuffixList)(nil), Needs: "network"},

		{Name: "New", Value: shimhttp.NewJar, Needs: "network", Why: "charges for the cookies that it keeps"},
	},
}

var stdNetMail = rows.Package{
	Path: "net/mail",
	Members: []rows.Member{
		{Name: "Address", Value: (*mail.Address)(nil), With: "Address Name"},
		{Name: "Address.String", Value: shimnet.MailAddressString, Why: "takes far longer than its text is"},
		{Name: "AddressParser", Value: (*mail.AddressParser)(nil), With: "WordDecoder"},
		{Name: "AddressParser.Parse", Value: shimnet.ParsingMailBy((*mail.AddressParser).Parse), Why: "takes far longer than its text is"},
		{Name: "AddressParser.ParseList", Value: shimnet.ParsingMailBy((*mail.AddressParser).ParseList), Why: "takes far longer than its text is"},
		{Name: "Header", Value: (*mail.Header)(nil)},
		{Name: "Header.AddressList", Value: shimnet.MailHeaderAddressList, Why: "takes far longer than its text is"},
		{Name: "Header.Date", Value: shimnet.MailHeaderDate(mail.Header.Date), Why: "takes far longer than its text is"},
		{Name: "Header.Get", Value: shim.SlowLast(shimnet.MailRate, mail.Header.Get), Why: "takes far longer than its text is"},
		{Name: "Message", Value: (*mail.Message)(nil), With: "Body Header"},

		{Name: "ParseAddress", Value: shimnet.ParsingMail(mail.ParseAddress), Why: "takes far longer than its text is"},
		{Name: "ParseAddressList", Value: shimnet.ParsingMail(mail.ParseAddressList), Why: "takes far longer than its text is"},
		{Name: "ParseDate", Value: shimnet.MailParseDate(mail.ParseDate), Why: "takes far longer than its text is"},
		{Name: "ReadMessage", Value: shimnet.MailReadMessage, Why: "charges for what is read"},

		{Name: "ErrHeaderNotPresent", Value: &mail.ErrHeaderNotPresent},
	},
}

var stdNetTextproto = rows.Package{
	Path:    "net/textproto",
	Bounded: "Error.Error ProtocolError.Error NewReader TrimBytes TrimString",
	Members: []rows.Member{
		{Name: "Error", Value: (*textproto.Error)(nil), With: "Code Error Msg"},
		{Name: "MIMEHeader", Value: (*textproto.MIMEHeader)(nil)},
		{Name: "MIMEHeader.Add", Value: shimnet.HeaderPut(textproto.MIMEHeader.Add), Why: "takes far longer than its key is"},
		{Name: "MIMEHeader.Del", Value: shimnet.HeaderDel, Why: "takes far longer than its key is"},
		{Name: "MIMEHeader.Get", Value: shim.SlowLast(shimnet.MailRate, textproto.MIMEHeader.Get), Why: "takes far longer than its key is"},
		{Name: "MIMEHeader.Set", Value: shimnet.HeaderPut(textproto.MIMEHeader.Set), Why: "takes far longer than its key is"},
		{Name: "MIMEHeader.Values", Value: shim.SlowLast(shimnet.MailRate, textproto.MIMEHeader.Values), Why: "takes far longer than its key is"},
		{Name: "ProtocolError", Value: (*textproto.ProtocolError)(nil), With: "Error"},
		{Name: "Reader", Value: (*textproto.Reader)(nil), With: "R"},
		{Name: "Reader.ReadContinuedLine", Value: shimnet.ReadingLine((*textproto.Reader).ReadContinuedLine), Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadContinuedLineBytes", Value: shimnet.ReadingLine((*textproto.Reader).ReadContinuedLineBytes), Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadLine", Value: shimnet.ReadingLine((*textproto.Reader).ReadLine), Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadLineBytes", Value: shimnet.ReadingLine((*textproto.Reader).ReadLineBytes), Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadMIMEHeader", Value: shimnet.ReadMIMEHeader, Why: "charges for the entries that lines become"},

		{Name: "CanonicalMIMEHeaderKey", Value: shim.Slow(shimnet.MailRate, textproto.CanonicalMIMEHeaderKey), Why: "takes far longer than its text is"},
		{Name: "NewReader", Value: textproto.NewReader},
		{Name: "TrimBytes", Value: textproto.TrimBytes},
		{Name: "TrimString", Value: textproto.TrimString},
	},
	Denied: []rows.Denial{
		{Names: "Conn Dial NewConn Pipeline", Why: "scripts make no connections of their own, but requests, where the policy has a Network", Instead: "net/http"},
		{Names: "NewWriter Reader.DotReader Reader.ReadCodeLine Reader.ReadDotBytes Reader.ReadDotLines Reader.ReadResponse Writer", Why: "they speak a protocol over a connection", Instead: "net/mail, mime/multipart or bufio"},
	},
}

var stdNetNetip = rows.Package{
	Path: "net/netip",
	Bounded: "Addr.AppendBinary Addr.AppendText Addr.AppendTo Addr.As16 Addr.As4 Addr.AsSlice Addr.BitLen Addr.Compare Addr.Is4 Addr.Is4In6 Addr.Is6 Addr.IsGlobalUnicast " +
		"Addr.IsInterfaceLocalMulticast Addr.IsLinkLocalMulticast Addr.IsLinkLocalUnicast Addr.IsLoopback Addr.IsMulticast Addr.IsPrivate Addr.IsUnspecified Addr.IsValid Addr.Less " +
		"Addr.MarshalBinary Addr.MarshalText Addr.Next Addr.Prefix Addr.Prev Addr.String Addr.StringExpanded Addr.Unmap Addr.Zone " +
		"AddrPort.Addr AddrPort.AppendBinary AddrPort.AppendText AddrPort.AppendTo AddrPort.Compare AddrPort.IsValid AddrPort.MarshalBinary AddrPort.MarshalText AddrPort.Port AddrPort.String " +
		"Prefix.Addr Prefix.AppendBinary Prefix.AppendText Prefix.AppendTo Prefix.Bits Prefix.Compare Prefix.Contains Prefix.IsSingleIP " +
		"Prefix.IsValid Prefix.MarshalBinary Prefix.MarshalText Prefix.Masked Prefix.Overlaps Prefix.String AddrFrom16 AddrFrom4 AddrFromSlice " +
		"AddrPortFrom IPv4Unspecified IPv6LinkLocalAllNodes IPv6LinkLocalAllRouters IPv6Loopback IPv6Unspecified PrefixFrom",
	Prints: "*",
	Members: []rows.Member{
		{Name: "Addr", Value: (*netip.Addr)(nil), With: "AppendBinary AppendText AppendTo As16 As4 AsSlice BitLen Compare Is4 Is4In6 Is6 IsGlobalUnicast IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast IsPrivate IsUnspecified IsValid Less MarshalBinary MarshalText Next Prefix Prev String StringExpanded Unmap Zone"},
		{Name: "Addr.UnmarshalBinary", Value: shimnet.ReadingNetip((*netip.Addr).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "Addr.UnmarshalText", Value: shimnet.ReadingNetip((*netip.Addr).UnmarshalText), Why: "an error may keep copies of the text"},
		{Name: "Addr.WithZone", Value: shimnet.AddrWithZone, Why: "an address keeps a copy of its zone"},
		{Name: "AddrPort", Value: (*netip.AddrPort)(nil), With: "Addr AppendBinary AppendText AppendTo Compare IsValid MarshalBinary MarshalText Port String"},
		{Name: "AddrPort.UnmarshalBinary", Value: shimnet.ReadingNetip((*netip.AddrPort).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "AddrPort.UnmarshalText", Value: shimnet.ReadingNetip((*netip.AddrPort).UnmarshalText), Why: "an error may keep copies of the text"},
		{Name: "Prefix", Value: (*netip.Prefix)(nil), With: "Addr AppendBinary AppendText AppendTo Bits Compare Contains IsSingleIP IsValid MarshalBinary MarshalText Masked Overlaps String"},
		{Name: "Prefix.UnmarshalBinary", Value: shimnet.ReadingNetip((*netip.Prefix).UnmarshalBinary), Why: "an error may keep copies of the text"},
		{Name: "Prefix.UnmarshalText", Value: shimnet.ReadingNetip((*netip.Prefix).UnmarshalText), Why: "an error may keep copies of the text"},

		{Name: "AddrFrom16", Value: netip.AddrFrom16},
		{Name: "AddrFrom4", Value: netip.AddrFrom4},
		{Name: "AddrFromSlice", Value: netip.AddrFromSlice},
		{Name: "AddrPortFrom", Value: netip.AddrPortFrom},
		{Name: "IPv4Unspecified", Value: netip.IPv4Unspecified},
		{Name: "IPv6LinkLocalAllNodes", Value: netip.IPv6LinkLocalAllNodes},
		{Name: "IPv6LinkLocalAllRouters", Value: netip.IPv6LinkLocalAllRouters},
		{Name: "IPv6Loopback", Value: netip.IPv6Loopback},
		{Name: "IPv6Unspecified", Value: netip.IPv6Unspecified},
		{Name: "MustParseAddr", Value: shimnet.MustParseNetip(netip.ParseAddr), Why: "an error may keep copies of the text"},
		{Name: "MustParseAddrPort", Value: shimnet.MustParseNetip(netip.ParseAddrPort), Why: "an error may keep copies of the text"},
		{Name: "MustParsePrefix", Value: shimnet.MustParseNetip(netip.ParsePrefix), Why: "an error may keep copies of the text"},
		{Name: "ParseAddr", Value: shimnet.ParsingNetip(netip.ParseAddr), Why: "an error may keep copies of the text"},
		{Name: "ParseAddrPort", Value: shimnet.ParsingNetip(netip.ParseAddrPort), Why: "an error may keep copies of the text"},
		{Name: "ParsePrefix", Value: shimnet.ParsingNetip(netip.ParsePrefix), Why: "an error may keep copies of the text"},
		{Name: "PrefixFrom", Value: netip.PrefixFrom},
	},
}

var stdNetUrl = rows.Package{
	Path:    "net/url",
	Holds:   "ParseQuery=240",
	Bounded: "Error.Error Error.Unwrap URL.Hostname URL.IsAbs URL.Port Userinfo.Password Userinfo.Username Values.Add Values.Del Values.Get Values.Has Values.Set User UserPassword",
	Prints:  "*",
	Members: []rows.Member{
		{Name: "Error", Value: (*url.Error)(nil), With: "Err Error Op Temporary Timeout URL Unwrap"},
		{Name: "Error.Temporary", Value: shimerrors.TemporaryOf[*url.Error], Why: "an error may be in itself"},
		{Name: "Error.Timeout", Value: shimerrors.TimeoutOf[*url.Error], Why: "an error may be in itself"},
		{Name: "EscapeError", Value: (*url.EscapeError)(nil)},
		{Name: "EscapeError.Error", Value: shim.Slow(shim.QuoteRate, url.EscapeError.Error), Why: "takes far longer than its text is"},
		{Name: "InvalidHostError", Value: (*url.InvalidHostError)(nil)},
		{Name: "InvalidHostError.Error", Value: shim.Slow(shim.QuoteRate, url.InvalidHostError.Error), Why: "takes far longer than its text is"},
		{Name: "URL", Value: (*url.URL)(nil), With: "ForceQuery Fragment Host Hostname IsAbs OmitHost Opaque Path Port RawFragment RawPath RawQuery Scheme User"},
		{Name: "URL.AppendBinary", Value: shimnet.UrlAppendBinary, Why: "takes far longer than its text is"},
		{Name: "URL.EscapedFragment", Value: shimnet.ReadingURL((*url.URL).EscapedFragment), Why: "takes far longer than its text is"},
		{Name: "URL.EscapedPath", Value: shimnet.ReadingURL((*url.URL).EscapedPath), Why: "takes far longer than its text is"},
		{Name: "URL.JoinPath", Value: shimnet.UrlJoin, Why: "takes far longer than its text is"},
		{Name: "URL.MarshalBinary", Value: shimnet.UrlMarshalBinary, Why: "takes far longer than its text is"},
		{Name: "URL.Parse", Value: shimnet.UrlParseAt, Why: "takes far longer than its text is"},
		{Name: "URL.Query", Value: shimnet.ReadingURL((*url.URL).Query), Why: "takes far longer than its text is"},
		{Name: "URL.Redacted", Value: shimnet.ReadingURL((*url.URL).Redacted), Why: "takes far longer than its text is"},
		{Name: "URL.RequestURI", Value: shimnet.ReadingURL((*url.URL).RequestURI), Why: "takes far longer than its text is"},
		{Name: "URL.ResolveReference", Value: shimnet.UrlResolveReference, Why: "takes far longer than its text is"},
		{Name: "URL.String", Value: shimnet.ReadingURL((*url.URL).String), Why: "takes far longer than its text is"},
		{Name: "URL.UnmarshalBinary", Value: shim.Reading(shimnet.UrlRate, shimtemplate.UrlTimes, (*url.URL).UnmarshalBinary), Why: "takes far longer than its text is"},
		{Name: "Userinfo", Value: (*url.Userinfo)(nil), With: "Password Username"},
		{Name: "Userinfo.String", Value: shimnet.UserinfoString, Why: "takes far longer than its text is"},
		{Name: "Values", Value: (*url.Values)(nil), With: "Add Del Get Has Set"},
		{Name: "Values.Encode", Value: shimnet.UrlValuesEncode, Why: "its result can be far larger than what it is given"},

		{Name: "JoinPath", Value: shimnet.UrlJoinPath, Why: "takes far longer than its text is"},
		{Name: "Parse", Value: shim.SlowPair(30, url.Parse), Why: "takes far longer than its text is"},
		{Name: "ParseQuery", Value: shim.SlowPair(20, url.ParseQuery), Why: "takes far longer than its text is"},
		{Name: "ParseRequestURI", Value: shim.SlowPair(30, url.ParseRequestURI), Why: "takes far longer than its text is"},
		{Name: "PathEscape", Value: shimnet.EscapingURL(url.PathEscape), Why: "its result can be far larger than what it is given"},
		{Name: "PathUnescape", Value: shim.SlowPair(10, url.PathUnescape), Why: "takes far longer than its text is"},
		{Name: "QueryEscape", Value: shimnet.EscapingURL(url.QueryEscape), Why: "its result can be far larger than what it is given"},
		{Name: "QueryUnescape", Value: shim.SlowPair(10, url.QueryUnescape), Why: "takes far longer than its text is"},
		{Name: "User", Value: url.User},
		{Name: "UserPassword", Value: url.UserPassword},
	},
}
