package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

type Row struct {
	Region, Product string
	Units           int
	Revenue         float64
}

type Totals struct {
	Rows    int
	Units   int
	Revenue float64
	Best    string
	perItem map[string]float64
}

func stream(url string, each func(Row) error) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/csv") {
		return fmt.Errorf("unexpected content type %q", ct)
	}
	r := csv.NewReader(resp.Body)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	col := make(map[string]int, len(header))
	for i, name := range header {
		col[name] = i
	}
	for line := 2; ; line++ {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		units, err := strconv.Atoi(rec[col["units"]])
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		revenue, err := strconv.ParseFloat(rec[col["revenue"]], 64)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := each(Row{rec[col["region"]], rec[col["product"]], units, revenue}); err != nil {
			return err
		}
	}
}

func main() {
	base := os.Args[1]
	totals := map[string]*Totals{}
	err := stream(base+"/report.csv", func(r Row) error {
		t, ok := totals[r.Region]
		if !ok {
			t = &Totals{perItem: map[string]float64{}}
			totals[r.Region] = t
		}
		t.Rows++
		t.Units += r.Units
		t.Revenue += r.Revenue
		t.perItem[r.Product] += r.Revenue
		return nil
	})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(w, "region\trows\tunits\trevenue\tbest\t")
	regions := slices.SortedFunc(maps.Keys(totals), func(a, b string) int {
		return cmp.Or(-cmp.Compare(totals[a].Revenue, totals[b].Revenue), strings.Compare(a, b))
	})
	for _, region := range regions {
		t := totals[region]
		for _, product := range slices.Sorted(maps.Keys(t.perItem)) {
			if t.Best == "" || t.perItem[product] > t.perItem[t.Best] {
				t.Best = product
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%s\t\n", region, t.Rows, t.Units, t.Revenue, t.Best)
	}
	w.Flush()

	stop := errors.New("enough")
	n := 0
	err = stream(base+"/report.csv", func(Row) error {
		if n++; n == 10 {
			return stop
		}
		return nil
	})
	fmt.Println(n, errors.Is(err, stop))
	fmt.Println(stream(base+"/feed.xml", func(Row) error { return nil }))
}
