package builtins

var stdRegexp = Package{
	Path: "regexp",
	scan: true,
	Members: []Member{
		{Name: "Regexp", Value: (*Regexp)(nil), With: "AppendText Copy Expand ExpandString Find FindAll FindAllIndex FindAllString FindAllStringIndex FindAllStringSubmatch FindAllStringSubmatchIndex FindAllSubmatch FindAllSubmatchIndex FindIndex FindReaderIndex FindReaderSubmatchIndex FindString FindStringIndex FindStringSubmatch FindStringSubmatchIndex FindSubmatch FindSubmatchIndex LiteralPrefix Longest MarshalText Match MatchReader MatchString NumSubexp ReplaceAll ReplaceAllFunc ReplaceAllLiteral ReplaceAllLiteralString ReplaceAllString ReplaceAllStringFunc Split String SubexpIndex SubexpNames", Why: "Go's own cannot be stopped in a long text"},
		{Name: "Regexp.UnmarshalText", Value: regexpUnmarshalText, Why: "asks for what the program takes"},

		{Name: "Compile", Value: regexpCompile, Why: "asks for what the program takes"},
		{Name: "CompilePOSIX", Value: regexpCompilePOSIX, Why: "asks for what the program takes"},
		{Name: "Match", Value: regexpMatch, Why: "asks for what the program takes"},
		{Name: "MatchReader", Value: regexpMatchReader, Why: "asks for what the program takes"},
		{Name: "MatchString", Value: regexpMatchString, Why: "asks for what the program takes"},
		{Name: "MustCompile", Value: regexpMustCompile, Why: "asks for what the program takes"},
		{Name: "MustCompilePOSIX", Value: regexpMustCompilePOSIX, Why: "asks for what the program takes"},
		{Name: "QuoteMeta", Value: regexpQuoteMeta, Why: "its result is larger than what it is given"},
	},
}
