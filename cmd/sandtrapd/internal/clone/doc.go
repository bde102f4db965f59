// Package clone brings the files of a commit of a git repository into a file system. Repositories, and the servers that have them,
// are hostile: nothing is written before all of it has been received and checked, and the bytes received, the memory that they take,
// the files and the time are bounded.
//
// It may not start a program, read the configuration, proxies or credentials of the machine, connect to a host that is not listed, or
// write anything but files and directories.
package clone
