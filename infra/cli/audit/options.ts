/** `--name value` pairs, each of `names` any number of times; undefined when there is anything else. */
export function optionsOf<N extends string>(
  words: readonly string[],
  names: readonly N[],
): Record<N, string[]> | undefined {
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, string[]>
  for (let at = 0; at < words.length; at += 2) {
    const [name, value] = [words[at] as N, words[at + 1]]
    if (!names.includes(name) || value === undefined) return undefined
    found[name].push(value)
  }
  return found
}
