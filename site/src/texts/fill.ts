/** What needs no page: the verifier that runs alone has it too. */

/** With thousands separators. Not by `toLocaleString`, whose first call blocks a slow phone for 0.1 s. */
export const count = (value: number | bigint): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')

/** `text` with a value for each {name}; numbers get separators. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === 'number' ? count(value) : value
  })

export const plural = (forms: { one: string; other: string }, number: number): string =>
  fill(number === 1 ? forms.one : forms.other, { count: number })

/** The text of a name that comes from elsewhere; undefined where the table has none. */
export const wordFor = (
  table: Partial<Record<string, string>> | undefined,
  name: string,
): string | undefined => table?.[name]
