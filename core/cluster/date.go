package cluster

import "strconv"

// IsDate reports whether s can be the date of a [Document]: YYYY-MM-DD, optionally followed by Thh:mm, :ss and a
// fraction, and Z or ±hh:mm.
func IsDate(s string) bool {
	number := func(at, digits, least, most int) bool {
		if at+digits > len(s) {
			return false
		}
		n, err := strconv.ParseUint(s[at:at+digits], 10, 32)
		return err == nil && int(n) >= least && int(n) <= most
	}
	if len(s) < 10 || !number(0, 4, 0, 9999) || s[4] != '-' || !number(5, 2, 1, 12) || s[7] != '-' || !number(8, 2, 1, 31) {
		return false
	}
	if len(s) == 10 {
		return true
	}
	if len(s) < 17 || s[10] != 'T' || !number(11, 2, 0, 24) || s[13] != ':' || !number(14, 2, 0, 59) {
		return false
	}
	i := 16
	if s[i] == ':' {
		if !number(i+1, 2, 0, 60) {
			return false
		}
		if i += 3; i < len(s) && s[i] == '.' {
			for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			}
		}
	}
	zone := s[min(i, len(s)):]
	return zone == "Z" || len(zone) == 6 && (zone[0] == '+' || zone[0] == '-') && number(i+1, 2, 0, 23) && zone[3] == ':' && number(i+4, 2, 0, 59)
}
