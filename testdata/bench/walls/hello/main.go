// Command hello is what is compared.
package main

import "fmt"

func main() { fmt.Println("hello") }
