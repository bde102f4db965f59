// Command graph is an example script: shortest paths with a hand-made heap.
package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

type edge struct {
	to   string
	cost int
}

type Graph struct{ adj map[string][]edge }

func (g *Graph) Add(a, b string, cost int) {
	if g.adj == nil {
		g.adj = map[string][]edge{}
	}
	g.adj[a] = append(g.adj[a], edge{b, cost})
	g.adj[b] = append(g.adj[b], edge{a, cost})
}

func (g *Graph) BFS(from string) []string {
	seen := map[string]bool{from: true}
	queue := []string{from}
	for i := 0; i < len(queue); i++ {
		for _, e := range g.adj[queue[i]] {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
	return queue
}

type pq []edge

func (q *pq) push(e edge) {
	*q = append(*q, e)
	for i := len(*q) - 1; i > 0 && (*q)[i].cost < (*q)[(i-1)/2].cost; i = (i - 1) / 2 {
		(*q)[i], (*q)[(i-1)/2] = (*q)[(i-1)/2], (*q)[i]
	}
}

func (q *pq) pop() edge {
	h := *q
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return top
		}
		if c+1 < len(h) && h[c+1].cost < h[c].cost {
			c++
		}
		if h[i].cost <= h[c].cost {
			return top
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (g *Graph) Dijkstra(from string) (map[string]int, map[string]string) {
	dist, prev := map[string]int{}, map[string]string{}
	for v := range g.adj {
		dist[v] = math.MaxInt
	}
	dist[from] = 0
	q := &pq{{from, 0}}
	for len(*q) > 0 {
		cur := q.pop()
		if cur.cost > dist[cur.to] {
			continue
		}
		for _, e := range g.adj[cur.to] {
			if d := cur.cost + e.cost; d < dist[e.to] {
				dist[e.to], prev[e.to] = d, cur.to
				q.push(edge{e.to, d})
			}
		}
	}
	return dist, prev
}

func path(prev map[string]string, to string) string {
	var p []string
	for v, ok := to, true; ok; v, ok = prev[v] {
		p = append([]string{v}, p...)
	}
	return strings.Join(p, "-")
}

func main() {
	var g Graph
	for _, e := range []struct {
		a, b string
		c    int
	}{{"A", "B", 7}, {"A", "C", 9}, {"A", "F", 14}, {"B", "C", 10}, {"B", "D", 15}, {"C", "D", 11}, {"C", "F", 2}, {"D", "E", 6}, {"E", "F", 9}} {
		g.Add(e.a, e.b, e.c)
	}
	fmt.Println(g.BFS("A"))
	dist, prev := g.Dijkstra("A")
	var names []string
	for v := range dist {
		names = append(names, v)
	}
	sort.Strings(names)
	for _, v := range names {
		fmt.Println(v, dist[v], path(prev, v))
	}
}

// Output:
// [A B C F D E]
// A 0 A
// B 7 A-B
// C 9 A-C
// D 20 A-C-D
// E 20 A-C-F-E
// F 11 A-C-F
