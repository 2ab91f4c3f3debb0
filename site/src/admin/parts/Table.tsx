import type { ReactNode } from 'react'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** Figures line up on the right. */
  isFigure?: boolean
}

type Props<T> = { label: string; columns: Column<T>[]; rows: readonly T[]; idOf: (row: T) => string | number }

/** Ruled rows; on a phone each row stands as a block of names and values. */
export function Table<T>({ label, columns, rows, idOf }: Props<T>) {
  return (
    <div className="table-frame">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" className={isFigure ? 'right' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ name, cell, isFigure }) => (
                <td key={name} data-label={name} className={isFigure ? 'right figure' : undefined}>
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
