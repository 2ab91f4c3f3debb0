import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import { Fragment, type ReactNode, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import styles from './Table.module.css'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** Aligned right, for figures. */
  isFigure?: boolean
  /** Position on a phone, if any column has one: first line left or right, or below all others. */
  place?: 'lead' | 'end' | 'last'
}

type Props<T> = {
  label: string
  columns: Column<T>[]
  rows: readonly T[]
  idOf: (row: T) => string | number
  /** Below a row, once it is opened by its first cell. */
  detail?: (row: T) => ReactNode
}

/** Ruled rows; on a phone a row is a block of names and values, or a few lines if a column has a `place`. */
export function Table<T>({ label, columns, rows, idOf, detail }: Props<T>) {
  const [open, setOpen] = useState<string | number>()
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
          {rows.map((row) => {
            const id = idOf(row)
            const isOpen = detail !== undefined && open === id
            return (
              <Fragment key={id}>
                <tr data-open={isOpen || undefined}>
                  {columns.map(({ name, cell, isFigure, place }, at) => (
                    <td
                      key={name}
                      data-label={name}
                      data-place={place}
                      className={isFigure ? `${styles.right} figure` : undefined}
                    >
                      {detail && at === 0 ? (
                        <button
                          type="button"
                          className={styles.open}
                          aria-expanded={isOpen}
                          onClick={() => setOpen(isOpen ? undefined : id)}
                        >
                          <Icon svg={chevronIcon} className="small" />
                          {cell(row)}
                        </button>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr className={styles.detail}>
                    <td colSpan={columns.length}>{detail(row)}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
