/** Thousands separators, the same in both languages. */
export const count = (value: number | bigint): string => value.toLocaleString('en-US')

/** `text` with a value for each {name}; numbers get their separators. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === 'number' ? count(value) : value
  })

/** The form for this number, with the number at {count}. */
export const plural = (forms: { one: string; other: string }, number: number): string =>
  fill(number === 1 ? forms.one : forms.other, { count: number })
