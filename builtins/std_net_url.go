package builtins

import "net/url"

var stdNetUrl = Package{
	Path:   "net/url",
	Prints: "*",
	Members: []Member{
		{Name: "Error", Value: (*url.Error)(nil), With: "Err Error Op Temporary Timeout URL Unwrap"},
		{Name: "EscapeError", Value: (*url.EscapeError)(nil)},
		{Name: "EscapeError.Error", Value: slow(quoteRate, url.EscapeError.Error), Why: "takes far longer than its text is"},
		{Name: "InvalidHostError", Value: (*url.InvalidHostError)(nil)},
		{Name: "InvalidHostError.Error", Value: slow(quoteRate, url.InvalidHostError.Error), Why: "takes far longer than its text is"},
		{Name: "URL", Value: (*url.URL)(nil), With: "ForceQuery Fragment Host Hostname IsAbs OmitHost Opaque Path Port RawFragment RawPath RawQuery Scheme User"},
		{Name: "URL.AppendBinary", Value: urlAppendBinary, Why: "takes far longer than its text is"},
		{Name: "URL.EscapedFragment", Value: readingURL((*url.URL).EscapedFragment), Why: "takes far longer than its text is"},
		{Name: "URL.EscapedPath", Value: readingURL((*url.URL).EscapedPath), Why: "takes far longer than its text is"},
		{Name: "URL.JoinPath", Value: urlJoin, Why: "takes far longer than its text is"},
		{Name: "URL.MarshalBinary", Value: urlMarshalBinary, Why: "takes far longer than its text is"},
		{Name: "URL.Parse", Value: urlParseAt, Why: "takes far longer than its text is"},
		{Name: "URL.Query", Value: readingURL((*url.URL).Query), Why: "takes far longer than its text is"},
		{Name: "URL.Redacted", Value: readingURL((*url.URL).Redacted), Why: "takes far longer than its text is"},
		{Name: "URL.RequestURI", Value: readingURL((*url.URL).RequestURI), Why: "takes far longer than its text is"},
		{Name: "URL.ResolveReference", Value: urlResolveReference, Why: "takes far longer than its text is"},
		{Name: "URL.String", Value: readingURL((*url.URL).String), Why: "takes far longer than its text is"},
		{Name: "URL.UnmarshalBinary", Value: slowLast(urlRate, (*url.URL).UnmarshalBinary), Why: "takes far longer than its text is"},
		{Name: "Userinfo", Value: (*url.Userinfo)(nil), With: "Password Username"},
		{Name: "Userinfo.String", Value: userinfoString, Why: "takes far longer than its text is"},
		{Name: "Values", Value: (*url.Values)(nil), With: "Add Del Get Has Set"},
		{Name: "Values.Encode", Value: urlValuesEncode, Why: "its result can be far larger than what it is given"},

		{Name: "JoinPath", Value: urlJoinPath, Why: "takes far longer than its text is"},
		{Name: "Parse", Value: slowPair(30, url.Parse), Why: "takes far longer than its text is"},
		{Name: "ParseQuery", Value: slowPair(20, url.ParseQuery), Why: "takes far longer than its text is"},
		{Name: "ParseRequestURI", Value: slowPair(30, url.ParseRequestURI), Why: "takes far longer than its text is"},
		{Name: "PathEscape", Value: escapingURL(url.PathEscape), Why: "its result can be far larger than what it is given"},
		{Name: "PathUnescape", Value: slowPair(10, url.PathUnescape), Why: "takes far longer than its text is"},
		{Name: "QueryEscape", Value: escapingURL(url.QueryEscape), Why: "its result can be far larger than what it is given"},
		{Name: "QueryUnescape", Value: slowPair(10, url.QueryUnescape), Why: "takes far longer than its text is"},
		{Name: "User", Value: url.User},
		{Name: "UserPassword", Value: url.UserPassword},
	},
}
