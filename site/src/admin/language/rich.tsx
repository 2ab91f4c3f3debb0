import { Fragment, type ReactNode } from 'react'
import { type Korean, t } from './t.ts'

/** As `t`, for a sentence with parts that are elements: a link, a figure, a wallet's address. */
export function rich(korean: Korean, values: Record<string, ReactNode>): ReactNode {
  const plain = Object.entries(values).filter(([, value]) => isPlain(value))
  const parts = t(korean, Object.fromEntries(plain) as Record<string, string | number>).split(/\{(\w+)\}/)
  return parts.map((part, at) => (
    // Odd places are the names that `t` has left.
    // biome-ignore lint/suspicious/noArrayIndexKey: the sentence is the same as long as the page is open
    <Fragment key={at}>{at % 2 ? values[part] : part}</Fragment>
  ))
}

const isPlain = (value: ReactNode): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
