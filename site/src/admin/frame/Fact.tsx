import type { ReactNode } from 'react'

/** One figure of a card: what it is, how much, and a word on it. */
export const Fact = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figure">{value}</dd>
    <dd className="hint">{children}</dd>
  </div>
)
