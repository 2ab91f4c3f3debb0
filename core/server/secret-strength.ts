const minLength = 32
const minCharacters = 8
const minSteps = 8
const minTriples = 16

/**
 * Why a secret is easy to guess, as the end of a sentence; undefined if it is not. Random texts pass: of 28 million of
 * 32 hexadecimal digits one has fewer than 8 different ones, and the other bounds are further away still.
 */
export function weaknessOfSecret(secret: string): string | undefined {
  if (secret.length < minLength) return `must have at least ${minLength} characters.`
  const characters = [...secret]
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  const triples = new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')))
  const isVaried =
    new Set(characters).size >= minCharacters &&
    // "abcdefgh…" has one step, and a short text over and over few triples.
    steps.size >= minSteps &&
    triples.size >= minTriples
  return isVaried ? undefined : 'is easy to guess: make one with `openssl rand -hex 32`.'
}
