/** Where a value is not what it must be, as `result.winners.0.place`; undefined where it is. */
export type Shape = (value: unknown, place: string) => string | undefined

const when =
  (holds: (value: unknown) => boolean): Shape =>
  (value, place) =>
    holds(value) ? undefined : place

export const text = when((value) => typeof value === 'string')
export const truth = when((value) => typeof value === 'boolean')
export const whole = when((value) => Number.isSafeInteger(value) && (value as number) >= 0)
export const matching = (form: RegExp): Shape =>
  when((value) => typeof value === 'string' && form.test(value))
export const oneOf = (values: readonly unknown[]): Shape => when((value) => values.includes(value))

export const hash = matching(/^0x[0-9a-f]{64}$/)
export const address = matching(/^0x[0-9a-fA-F]{40}$/)
export const digits = matching(/^\d{1,80}$/)
/** As `Date` writes it, of the years that four digits name. */
export const moment = when(
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
)

export const orNull =
  (shape: Shape): Shape =>
  (value, place) =>
    value === null ? undefined : shape(value, place)

export const list =
  (of: Shape): Shape =>
  (value, place) =>
    Array.isArray(value) ? first(value.map((each, at) => () => of(each, `${place}.${at}`))) : place

/** `T` keeps the names: a field that is added to it needs a shape. What else an object holds is not looked at. */
export const fields =
  <T>(shapes: Record<keyof T & string, Shape>): Shape =>
  (value, place) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? first(
          Object.entries<Shape>(shapes).map(
            ([name, shape]) =>
              () =>
                shape((value as Record<string, unknown>)[name], place ? `${place}.${name}` : name),
          ),
        )
      : place

const first = (looks: readonly (() => string | undefined)[]): string | undefined => {
  for (const look of looks) {
    const wrong = look()
    if (wrong !== undefined) return wrong
  }
  return undefined
}
