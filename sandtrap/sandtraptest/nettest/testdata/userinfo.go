package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func say(resp *http.Response, err error) {
	if err != nil {
		fmt.Println(strings.ReplaceAll(err.Error(), os.Args[1], "SERVER"))
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	for _, line := range strings.Split(string(body), "\n") {
		if strings.HasPrefix(line, "Authorization") || strings.HasPrefix(line, "Referer") || strings.HasPrefix(line, "X-") {
			fmt.Println(line)
		}
	}
	fmt.Println(resp.StatusCode, strings.ReplaceAll(resp.Request.URL.Redacted(), os.Args[1], "SERVER"))
}

func main() {
	host := strings.TrimPrefix(os.Args[1], "http://")
	for _, user := range []string{"name:pass@", "name@", "@", ":@", "a%40b:c%3Ad@", "na me@"} {
		say(http.Get("http://" + user + host + "/headers"))
	}
	req, _ := http.NewRequest("GET", "http://name:pass@"+host+"/headers", nil)
	req.Header.Set("Authorization", "Bearer mine")
	say(http.DefaultClient.Do(req))
	req, _ = http.NewRequest("GET", "http://name:pass@"+host+"/headers", nil)
	req.Header["x-spelt"] = []string{"so"}
	req.SetBasicAuth("other", "one")
	say(http.DefaultClient.Do(req))
	req.URL.User = url.UserPassword("set", "later")
	req.Header.Del("Authorization")
	say(http.DefaultClient.Do(req))
	say(http.Get("http://name:pass@" + host + "/redirectto?code=302"))
	say(http.Get(os.Args[1] + "/touser"))
	say(http.Get("http://name:pass@" + host + "/touser"))
}
