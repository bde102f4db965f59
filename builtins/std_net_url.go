package builtins

import "net/url"

var stdNetUrl = Package{
	Path: "net/url",
	Members: []Member{
		{Name: "Error", Value: (*url.Error)(nil), With: "Err Error Op Temporary Timeout URL Unwrap"},
		{Name: "EscapeError", Value: (*url.EscapeError)(nil), With: "Error"},
		{Name: "InvalidHostError", Value: (*url.InvalidHostError)(nil), With: "Error"},
		{Name: "URL", Value: (*url.URL)(nil), With: "AppendBinary EscapedFragment EscapedPath ForceQuery Fragment Host Hostname IsAbs JoinPath MarshalBinary OmitHost Opaque Parse Path Port Query RawFragment RawPath RawQuery Redacted RequestURI ResolveReference Scheme String UnmarshalBinary User"},
		{Name: "Userinfo", Value: (*url.Userinfo)(nil), With: "Password String Username"},
		{Name: "Values", Value: (*url.Values)(nil), With: "Add Del Encode Get Has Set"},

		{Name: "JoinPath", Value: url.JoinPath},
		{Name: "Parse", Value: url.Parse},
		{Name: "ParseQuery", Value: url.ParseQuery},
		{Name: "ParseRequestURI", Value: url.ParseRequestURI},
		{Name: "PathEscape", Value: url.PathEscape},
		{Name: "PathUnescape", Value: url.PathUnescape},
		{Name: "QueryEscape", Value: url.QueryEscape},
		{Name: "QueryUnescape", Value: url.QueryUnescape},
		{Name: "User", Value: url.User},
		{Name: "UserPassword", Value: url.UserPassword},
	},
}
