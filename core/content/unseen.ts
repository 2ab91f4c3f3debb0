/** What nobody sees, and what turns texts around: it would make one text look like another. U+2028 and U+2029 end a line in some programs alone. */
export const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
