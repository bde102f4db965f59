package std

import (
	"net/http/cookiejar"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimhttp "github.com/sandtrap-go/sandtrap/builtins/internal/shim/http"
)

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
