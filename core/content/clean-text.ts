/** What nobody sees, and what turns texts around: it would make one text look like another. U+2028 and U+2029 end a line in some programs alone. */
export const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Something that is seen: Unicode's ignorable signs, such as a filler of Hangul, are not, nor is Braille without a dot. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * NFC, lines ended by LF, no space at an end; a line of which nothing is seen is empty. Undefined where it holds controls,
 * marks of direction or half a sign. Markup is text: it is escaped where it is shown.
 */
export function cleanText(value: string, lines: 'one' | 'several'): string | undefined {
  if (!value.isWellFormed()) return undefined
  const text = value.replaceAll('\r\n', '\n')
  if (unseen.test(lines === 'several' ? text.replaceAll('\n', '') : text)) return undefined
  const ended = text.split('\n').map((line) => (seen.test(line) ? line.trimEnd() : ''))
  return ended.join('\n').trim().normalize('NFC')
}

/** Signs of a text: one that is made of several code points counts as several. */
export const signsOf = (text: string): number => [...text].length
