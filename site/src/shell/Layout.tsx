import type { ComponentProps, ElementType } from 'react'

type Gap = 4 | 8 | 12 | 16 | 20 | 28 | 40
type Box = ComponentProps<'div'> & { as?: ElementType; gap?: Gap }

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
const gapOf = (gap: Gap) => gap !== 12 && `gap-${gap}`

/** Below each other. Templates write the classes themselves: `class="stack gap-16"`. */
export const Stack = ({ as: Tag = 'div', gap = 12, className, ...rest }: Box) => (
  <Tag className={classes('stack', gapOf(gap), className)} {...rest} />
)

type RowProps = Box & {
  align?: 'top' | 'base'
  spread?: boolean
  whole?: boolean
}

/** Beside each other, and on where the width ends; a child with the class `grow` takes what is left. */
export const Row = ({ as: Tag = 'div', gap = 12, align, spread, whole, className, ...rest }: RowProps) => (
  <Tag
    className={classes('row', gapOf(gap), align, spread && 'spread', whole && 'whole', className)}
    {...rest}
  />
)

export const Pair = ({ as: Tag = 'div', gap = 16, className, ...rest }: Box) => (
  <Tag className={classes('pair', gapOf(gap), className)} {...rest} />
)

type Words = ComponentProps<'p'> & { as?: ElementType; size?: 13 | 14 | 15 | 17; strong?: boolean }

export const Text = ({ as: Tag = 'p', size, strong, className, ...rest }: Words) => (
  <Tag className={classes(size && `size-${size}`, strong && 'strong', className) || undefined} {...rest} />
)

export const Muted = ({ className, ...rest }: Words) => (
  <Text className={classes('muted', className)} {...rest} />
)

/** A number, an address, a hash: no translator changes it. */
export const Figure = ({ as: Tag = 'b', className, ...rest }: Words) => (
  <Tag className={classes('figure', className)} translate="no" {...rest} />
)
