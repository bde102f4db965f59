// Command wordcount is an example script: words of a text, counted and sorted.
package main

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
)

const text = `The quick brown fox jumps over the lazy dog.
The dog sleeps; the fox, being quick, runs on.
"Quick!" says the fox -- and the dog's ears twitch.`

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	})
}

func main() {
	counts := make(map[string]int)
	for _, w := range words(text) {
		counts[w]++
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if counts[keys[i]] != counts[keys[j]] {
			return counts[keys[i]] > counts[keys[j]]
		}
		return keys[i] < keys[j]
	})
	for _, k := range keys[:5] {
		fmt.Printf("%-6s %2d %s\n", k, counts[k], strings.Repeat("*", counts[k]))
	}
	fmt.Println(len(keys), "distinct words in", strings.Count(text, "\n")+1, "lines")
}

// Output:
// the     6 ******
// fox     3 ***
// quick   3 ***
// dog     2 **
// and     1 *
// 17 distinct words in 3 lines
