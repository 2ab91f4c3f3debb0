/** What canonical JSON is made of here. No fractions: two languages may write them in two ways. */
export type Canonical = string | number | null | readonly Canonical[] | { readonly [key: string]: Canonical }

/** JSON in the one form of RFC 8785: no space, names by their UTF-16 units, shortest escapes. Throws for what is no such value. */
export function canonicalJson(value: Canonical): string {
  if (value === null) return 'null'
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError('A number is no integer.')
    return `${value}`
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('A text has half a sign.')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const fields = value as { readonly [key: string]: Canonical }
  // The default order is that of UTF-16 units.
  const names = Object.keys(fields).sort()
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(fields[name] as Canonical)}`).join()}}`
}
