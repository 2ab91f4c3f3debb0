import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../language/t.ts'
import { Empty, Retry, SkeletonRows } from './AsyncView.tsx'
import { type Action, ActionButton } from './action.tsx'
import { Button } from './Button.tsx'
import { Cancelled, errorText } from './error-text.ts'
import frameStyles from './List.module.css'
import { latestOnly } from './latest.ts'
import { count } from './numbers.ts'
import rowStyles from './Rows.module.css'
import { type Column, Table } from './Table.tsx'

const pageSize = 100

type Props<T> = {
  label: string
  /** A page of 100: the first one, or the one after `last`. */
  load: (last: T | undefined) => Promise<readonly T[]>
  idOf: (row: T) => string | number
  columns: Column<T>[]
  /** In a last column. */
  actions?: Action<T>[]
  /** Below a row, once it is opened; `reload` reads what is on screen again. */
  detail?: (row: T, reload: () => void) => ReactNode
  empty: string
  /** What is asked for: another one begins the list anew. */
  query?: string
  /** Another one reads what is on screen again. */
  turn?: string | number
}

/** A list from the server, page by page, with what can be done with each row. */
export function List<T>(props: Props<T>) {
  const { label, load, idOf, columns, actions, detail, empty, query = '', turn = '' } = props
  const [rows, setRows] = useState<readonly T[]>()
  const [hasMore, setMore] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const ask = useRef(load)
  ask.current = load
  const [begin] = useState(latestOnly)
  const asked = useRef<string>(undefined)

  /** Reads on after `known`, to so many rows. */
  const read = async (known: readonly T[], wanted: number) => {
    const isLatest = begin()
    setBusy(true)
    setTrouble('')
    try {
      let found = known
      let page: readonly T[]
      do {
        page = await ask.current(found.at(-1))
        found = [...found, ...page]
      } while (isLatest() && page.length === pageSize && found.length < wanted)
      if (!isLatest()) return
      setRows(found)
      setMore(page.length === pageSize)
    } catch (error) {
      if (isLatest() && !(error instanceof Cancelled)) setTrouble(errorText(error, t('불러오지 못했습니다.')))
    }
    if (isLatest()) setBusy(false)
  }
  const reload = () => void read([], rows?.length ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another question, or another turn, reads
  useEffect(() => {
    const isOther = asked.current !== query
    asked.current = query
    if (isOther) setRows(undefined)
    void read([], isOther ? 0 : (rows?.length ?? 0))
    return () => void begin()
  }, [query, turn])

  return (
    <>
      {trouble && (
        <div className={frameStyles.body}>
          <Retry text={trouble} onRetry={reload} />
        </div>
      )}
      {!rows ? (
        !trouble && (
          <div className={frameStyles.body}>
            <SkeletonRows />
          </div>
        )
      ) : rows.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <>
          <Table
            label={label}
            columns={actions ? [...columns, columnOf(actions, reload)] : columns}
            rows={rows}
            idOf={idOf}
            {...(detail && { detail: (row: T) => detail(row, reload) })}
          />
          <footer className={frameStyles.foot}>
            <span>
              {hasMore
                ? t('처음 {count}건', { count: count(rows.length) })
                : t('모두 {count}건', { count: count(rows.length) })}
            </span>
            {hasMore && (
              <Button
                tone="edged"
                size="small"
                isBusy={isBusy}
                onClick={() => void read(rows, rows.length + 1)}
              >
                {t('더 보기')}
              </Button>
            )}
          </footer>
        </>
      )}
    </>
  )
}

/** What can be done with a row, beside it. */
const columnOf = <T,>(actions: Action<T>[], reload: () => void): Column<T> => ({
  name: t('작업'),
  place: 'last',
  cell: (row) => (
    <span className={rowStyles.row}>
      {actions.map((action) => (
        <ActionButton key={action.name} action={action} row={row} onDone={reload} />
      ))}
    </span>
  ),
})
