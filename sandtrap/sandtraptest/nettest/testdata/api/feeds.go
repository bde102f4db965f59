package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/mail"
	"os"
	"slices"
	"strings"
	"text/template"
	"time"
)

type RSS struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Channel struct {
		Title string  `xml:"title"`
		Items []Entry `xml:"item"`
	} `xml:"channel"`
}

type Entry struct {
	Title      string     `xml:"title" json:"title"`
	Link       string     `xml:"link" json:"link"`
	PubDate    string     `xml:"pubDate" json:"-"`
	Categories []string   `xml:"category" json:"categories"`
	Enclosure  *Enclosure `xml:"enclosure" json:"enclosure,omitempty"`
	Published  time.Time  `xml:"-" json:"published"`
}

type Enclosure struct {
	URL    string `xml:"url,attr"`
	Length int64  `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

const page = `# {{.Channel.Title}}
{{range $i, $e := .Channel.Items}}{{inc $i}}. [{{$e.Title | escape}}]({{$e.Link}}) {{$e.Published.Format "2006-01-02 15:04 MST"}}{{with $e.Enclosure}} ({{.Type}}, {{.Length}} bytes){{end}}
{{end}}`

func fetchFeed(url string) (*RSS, error) {
	client := &http.Client{Timeout: time.Minute}
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "FeedReader/1.0 (+https://example.com/bot)")
	req.Header.Set("Accept", "application/rss+xml, application/xml;q=0.9, */*;q=0.8")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := resp.Body.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "close:", err)
		}
	}()
	if resp.StatusCode != http.StatusOK {
		io.Copy(io.Discard, resp.Body)
		return nil, fmt.Errorf("bad status: %s", resp.Status)
	}
	var feed RSS
	if err := xml.NewDecoder(resp.Body).Decode(&feed); err != nil {
		return nil, fmt.Errorf("parse feed: %w", err)
	}
	for i := range feed.Channel.Items {
		it := &feed.Channel.Items[i]
		when, err := mail.ParseDate(it.PubDate)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		it.Published = when.UTC()
	}
	return &feed, nil
}

func main() {
	feed, err := fetchFeed(os.Args[1] + "/feed.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(feed.XMLName.Local, feed.Version, feed.Channel.Title, len(feed.Channel.Items))
	slices.SortFunc(feed.Channel.Items, func(a, b Entry) int { return b.Published.Compare(a.Published) })
	t := template.Must(template.New("page").Funcs(template.FuncMap{
		"inc":    func(i int) int { return i + 1 },
		"escape": html.EscapeString,
	}).Parse(page))
	if err := t.Execute(os.Stdout, feed); err != nil {
		fmt.Println(err)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(feed.Channel.Items); err != nil {
		fmt.Println(err)
	}
	out, err := xml.MarshalIndent(feed, "", "  ")
	fmt.Println(strings.Count(string(out), "\n"), err)
	_, err = fetchFeed(os.Args[1] + "/report.csv")
	fmt.Println(err)
	_, err = fetchFeed(os.Args[1] + "/nothing.xml")
	fmt.Println(err)
}
