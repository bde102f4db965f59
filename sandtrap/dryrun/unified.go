package dryrun

import (
	"fmt"
	"strings"
)

const (
	around    = 3       // equal lines that are shown before and after those that differ
	mostPairs = 1 << 18 // of lines that are compared: beyond it all between the first and the last difference has changed
)

// An edit is a line, which is in both texts (' '), in the first ('-') or in the second ('+').
type edit struct {
	op   byte
	line string
}

// unified is the differences between two texts in the unified format, without the names of files.
func unified(a, b string) string {
	edits := compare(splitLines(a), splitLines(b))
	var out strings.Builder
	atA, atB := 0, 0 // lines of each before edits[i]
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			atA, atB, i = atA+1, atB+1, i+1
			continue
		}
		from := max(0, i-around)
		to, equal := i, 0 // the hunk ends before 2*around+1 equal lines
		for to < len(edits) && equal <= 2*around {
			if equal++; edits[to].op != ' ' {
				equal = 0
			}
			to++
		}
		to -= max(0, equal-around)
		writeHunk(&out, edits[from:to], atA-(i-from), atB-(i-from))
		for ; i < to; i++ {
			if edits[i].op != '+' {
				atA++
			}
			if edits[i].op != '-' {
				atB++
			}
		}
	}
	return out.String()
}

// writeHunk writes edits behind so many lines of each text.
func writeHunk(out *strings.Builder, edits []edit, atA, atB int) {
	inA, inB := 0, 0
	for _, e := range edits {
		if e.op != '+' {
			inA++
		}
		if e.op != '-' {
			inB++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(atA, inA), span(atB, inB))
	for _, e := range edits {
		out.WriteByte(e.op)
		out.WriteString(e.line)
		if !strings.HasSuffix(e.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is n lines behind so many others.
func span(behind, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", behind)
	}
	return fmt.Sprintf("%d,%d", behind+1, n)
}

// splitLines are the lines with their ends.
func splitLines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// compare gives the edits from a to b: as few as there can be, unless these are too long to find out.
func compare(a, b []string) (edits []edit) {
	add := func(op byte, lines []string) {
		for _, line := range lines {
			edits = append(edits, edit{op, line})
		}
	}
	begin, end := 0, 0 // equal lines at both ends
	for begin < min(len(a), len(b)) && a[begin] == b[begin] {
		begin++
	}
	for end < min(len(a), len(b))-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	add(' ', a[:begin])
	midA, midB := a[begin:len(a)-end], b[begin:len(b)-end]
	if len(midA)*len(midB) > mostPairs {
		add('-', midA)
		add('+', midB)
	} else {
		edits = append(edits, shortest(midA, midB)...)
	}
	add(' ', a[len(a)-end:])
	return edits
}

// shortest is compare by the longest list of lines that both have in the same order.
func shortest(a, b []string) (edits []edit) {
	common := make([][]int32, len(a)+1) // of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return edits
}
