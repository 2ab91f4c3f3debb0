/** A code as people paste it: full-width letters and digits become plain, blanks, hyphens and what nobody sees go. */
export const typedCode = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cc}\p{Cf}\u2212]/gu, '')
