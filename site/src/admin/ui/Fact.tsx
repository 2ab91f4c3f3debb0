import type { ReactNode } from 'react'

/** One figure of a card: what it is, how much, and a word on it. */
export const Fact = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figure">{value}</dd>
    <dd className="hint">{children}</dd>
  </div>
)

/** A name, dots, and what it is; within a list of class `summary`. */
export const Leader = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
