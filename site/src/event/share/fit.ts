/** Widths of letters by guess, on the wide side: pictures are printed without a layout that could measure. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) =>
      sum +
      (letter.charCodeAt(0) > 0x2e80
        ? 0.95
        : /[iIl.,:;'|!() ]/.test(letter)
          ? 0.36
          : /[mwMW@]/.test(letter)
            ? 0.95
            : 0.62),
    0,
  )

/** The largest size up to `most` at which one line is no wider than `width`. */
export const fitted = (text: string, width: number, most: number): number =>
  Math.min(most, Math.floor(width / Math.max(widthOf(text), 1)))

/** Lines of words no wider than `width`; what is left after `most` lines ends in an ellipsis. */
export function wrapped(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`) * size <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  const cut = lines.map((line) => shortened(line, width / size))
  return cut.length > most ? [...cut.slice(0, most - 1), shortened(`${cut[most - 1]}…`, width / size)] : cut
}

/** Without a space there is nowhere to break. */
function shortened(line: string, most: number): string {
  if (widthOf(line) <= most) return line
  const letters = [...line]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > most) letters.pop()
  return `${letters.join('')}…`
}
