/** `value` with `part` at `path`, such as `prizes.0.name.ko`; all else is shared with the old one. */
export function withAt<T>(value: T, path: string, part: unknown): T {
  const [name = '', ...rest] = path.split('.')
  const below = rest.join('.')
  const next = below === '' ? part : withAt((value as Record<string, unknown>)[name], below, part)
  if (Array.isArray(value)) return value.with(Number(name), next) as T
  return { ...value, [name]: next }
}

export const textAt = (value: unknown, path: string): string => {
  const found = path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], value)
  return typeof found === 'string' ? found : ''
}

/** The list with the row at `from` at `to`; as it is where there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const row = list[from]
  if (row === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, row)
}
