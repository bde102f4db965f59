// Package image holds the substitutes of members of image, image/draw, image/png and image/jpeg; their rows are in package
// std. What is made of pixels is charged for before it is there, and each loop over pixels is cut, or asks now and then.
//
// It may not decide what scripts have: rows do.
package image
