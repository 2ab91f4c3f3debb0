import type { ReactNode } from 'react'
import styles from './Table.module.css'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** Aligned right, for figures. */
  isFigure?: boolean
  /** Position on a phone, if any column has one: first line left or right, or below all others. */
  place?: 'lead' | 'end' | 'last'
}

type Props<T> = { label: string; columns: Column<T>[]; rows: readonly T[]; idOf: (row: T) => string | number }

/** Ruled rows; on a phone a row is a block of names and values, or a few lines if a column has a `place`. */
export function Table<T>({ label, columns, rows, idOf }: Props<T>) {
  const isFolded = columns.some(({ place }) => place)
  return (
    <div className={isFolded ? `${styles.frame} ${styles.folded}` : styles.frame}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" className={isFigure ? styles.right : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ name, cell, isFigure, place }) => (
                <td
                  key={name}
                  data-label={name}
                  data-place={place}
                  className={isFigure ? `${styles.right} figure` : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
