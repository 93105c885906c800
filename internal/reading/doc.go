// Package reading says what makes a sentence fit to be quoted: where its quotable
// part begins and ends, whether it stands alone, whether it is content or
// boilerplate, and where documents disagree.
package reading
