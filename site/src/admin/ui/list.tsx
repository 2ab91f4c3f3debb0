import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import { type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { type Action, ActionButton } from './action.tsx'
import { count } from './format.ts'
import styles from './list.module.css'
import { Empty, Loaded, type Pages, type Resource } from './resource.tsx'

type ListProps<T> = Omit<TableProps<T>, 'rows' | 'detail'> & {
  from: Resource<readonly T[]> | Pages<T>
  actions?: Action<T>[]
  /** Below a row, once it is opened; `reload` reads what is on screen again. */
  detail?: (row: T, reload: () => Promise<void>) => ReactNode
  empty: string
  hint?: string
  foot?: ReactNode
}

export function List<T>({ from, actions, detail, empty, hint, foot, ...table }: ListProps<T>) {
  const { reload } = from
  const columns = actions ? [...table.columns, columnOf(actions, reload)] : table.columns
  return (
    <>
      <Loaded from={from} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={empty}>{hint}</Empty>
          ) : (
            <>
              <Table
                {...{ ...table, columns, rows }}
                {...(detail && { detail: (row: T) => detail(row, reload) })}
              />
              {'more' in from && <More pages={from} />}
            </>
          )
        }
      </Loaded>
      {foot && <footer>{foot}</footer>}
    </>
  )
}

const More = <T,>({ pages: { data = [], more } }: { pages: Pages<T> }) => (
  <Row as="footer" spread className="hint">
    <span>
      {more
        ? t('처음 {count}건', { count: count(data.length) })
        : t('모두 {count}건', { count: count(data.length) })}
    </span>
    {more && <ActionButton action={{ name: t('더 보기'), failure: '', run: more }} />}
  </Row>
)

const columnOf = <T,>(actions: Action<T>[], reload: () => Promise<void>): Column<T> => ({
  name: t('작업'),
  place: 'last',
  cell: (row) => (
    <Row as="span" gap={8}>
      {actions.map((action) => (
        // biome-ignore lint/suspicious/noExplicitAny: a row is asked for wherever an action is about one
        <ActionButton<any> key={action.name} action={action} row={row} size="compact" onDone={reload} />
      ))}
    </Row>
  ),
})

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  isFigure?: boolean
  /** Position on a phone, if any column has one: first line left or right, or below all others. */
  place?: 'lead' | 'end' | 'last'
}

type TableProps<T> = {
  label: string
  columns: Column<T>[]
  rows: readonly T[]
  idOf: (row: T) => string | number
  detail?: (row: T) => ReactNode
  startsOpen?: (row: T) => boolean
  marks?: (row: T) => Record<`data-${string}`, string>
}

/** Ruled rows; on a phone a row is a block of names and values, or a few lines if a column has a `place`. */
export function Table<T>({ label, columns, rows, idOf, detail, startsOpen, marks }: TableProps<T>) {
  // A row that opened, or was turned, stays so, whatever becomes of it.
  const opened = useRef(new Map<string | number, boolean>())
  const [, setTurns] = useState(0)
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
        {rows.map((row) => {
          const id = idOf(row)
          if (startsOpen?.(row) && !opened.current.has(id)) opened.current.set(id, true)
          const isOpen = detail !== undefined && opened.current.get(id) === true
          const turn = () => {
            opened.current.set(id, !isOpen)
            setTurns((turns) => turns + 1)
          }
          return (
            <tbody key={id} {...marks?.(row)}>
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
                        className={`row whole ${styles.open}`}
                        aria-expanded={isOpen}
                        onClick={turn}
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
            </tbody>
          )
        })}
      </table>
    </div>
  )
}
