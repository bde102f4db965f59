// Command table is an example script: rows of text grouped and summed.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

const data = `region,product,units,price
north,apple,10,0.50
south,pear,4,0.75
north,pear,6,0.80
east,apple,"12",0.45
south,apple,7,0.55
east,plum,,1.20`

type row struct {
	region, product string
	units           int
	price           float64
}

func read(csv string) (rows []row, skipped int) {
	for i, line := range strings.Split(csv, "\n") {
		if i == 0 {
			continue
		}
		f := strings.Split(line, ",")
		units, err := strconv.Atoi(strings.Trim(f[2], `"`))
		if err != nil {
			fmt.Fprintln(os.Stdout, "skipped:", err)
			skipped++
			continue
		}
		price, _ := strconv.ParseFloat(f[3], 64)
		rows = append(rows, row{f[0], f[1], units, price})
	}
	return rows, skipped
}

func groupBy(rows []row, key func(row) string) map[string][]row {
	out := map[string][]row{}
	for _, r := range rows {
		out[key(r)] = append(out[key(r)], r)
	}
	return out
}

func report(title string, groups map[string][]row) {
	names := make([]string, 0, len(groups))
	for n := range groups {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Println(title)
	for _, n := range names {
		var units int
		var revenue float64
		for _, r := range groups[n] {
			units += r.units
			revenue += float64(r.units) * r.price
		}
		fmt.Printf("  %-8s|%5d|%8.2f\n", n, units, revenue)
	}
}

func main() {
	rows, skipped := read(data)
	report("by region", groupBy(rows, func(r row) string { return r.region }))
	report("by product", groupBy(rows, func(r row) string { return r.product }))
	fmt.Printf("%d rows, %d skipped, first %+v\n", len(rows), skipped, rows[0])
}


// Output:
// skipped: strconv.Atoi: parsing "": invalid syntax
// by region
//   east    |   12|    5.40
//   north   |   16|    9.80
//   south   |   11|    6.85
// by product
//   apple   |   29|   14.25
//   pear    |   10|    7.80
// 5 rows, 1 skipped, first {region:north product:apple units:10 price:0.5}
