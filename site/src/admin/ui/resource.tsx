import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { TicketOutline } from '../../shell/Parts.tsx'
import { t } from '../language/t.ts'
import styles from './card.module.css'
import { Retry } from './card.tsx'
import { Cancelled, errorText } from './error-text.ts'

export type Resource<T> = {
  data: T | undefined
  /** The last error; `data` may still be there from an earlier load. */
  trouble: string
  reload: () => Promise<void>
}

/** What of a list is known, from its beginning; `more` reads its next page, and is undefined at its end. */
export type Pages<T> = Resource<readonly T[]> & { more: (() => Promise<void>) | undefined }

type Options = {
  everyMs?: number
  /** What is asked for: the data of another key stay until the new ones are there. */
  key?: string
}

export function useResource<T>(load: () => Promise<T>, { everyMs, key }: Options = {}): Resource<T> {
  const [data, setData] = useState<T>()
  const [trouble, setTrouble] = useState('')
  const ask = useRef(load)
  ask.current = load
  const [begin] = useState(latestOnly)

  const reload = useCallback(async () => {
    const isLatest = begin()
    try {
      const found = await ask.current()
      if (!isLatest()) return
      setData(found)
      setTrouble('')
    } catch (error) {
      if (isLatest() && !(error instanceof Cancelled)) setTrouble(errorText(error, t('불러오지 못했습니다.')))
    }
  }, [begin])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another question
  useEffect(() => {
    void reload()
    const again = () => {
      if (document.visibilityState === 'visible') void reload()
    }
    const timer = everyMs === undefined ? undefined : setInterval(again, everyMs)
    if (everyMs !== undefined) document.addEventListener('visibilitychange', again)
    return () => {
      // The answer of a request still in flight is ignored.
      begin()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [begin, reload, everyMs, key])

  return { data, trouble, reload }
}

const pageSize = 100

type PageOptions = {
  /** What is asked for: another one begins the list anew. */
  query?: string
  turn?: string | number
}

/** A list page by page: `load` reads the first 100, or the 100 after `last`. */
export function usePages<T>(
  load: (last: T | undefined) => Promise<readonly T[]>,
  { query = '', turn = '' }: PageOptions = {},
): Pages<T> {
  const none = { query, wanted: 0, before: [] as readonly T[] }
  const asked = useRef(none)
  if (asked.current.query !== query) asked.current = none
  const { data, trouble, reload } = useResource(
    async () => {
      const { wanted, before } = asked.current
      asked.current.before = []
      let rows = before
      let page: readonly T[]
      do {
        page = await load(rows.at(-1))
        rows = [...rows, ...page]
      } while (page.length === pageSize && rows.length < wanted)
      return { query, rows, hasMore: page.length === pageSize }
    },
    { key: `${query} ${turn}` },
  )
  const own = data?.query === query ? data : undefined
  const more = () => {
    const before = own?.rows ?? []
    asked.current = { query, wanted: before.length + 1, before }
    return reload()
  }
  return { data: own?.rows, trouble, reload, more: own?.hasMore ? more : undefined }
}

/** If calls overlap, only the last counts: each starts here and later asks whether it is still the last. */
export function latestOnly(): () => () => boolean {
  let last = 0
  return () => {
    last += 1
    const own = last
    return () => own === last
  }
}

export function Loaded<T>(props: { from: Resource<T>; rows?: number; children: (data: T) => ReactNode }) {
  const { from, rows, children } = props
  return (
    <>
      {from.trouble && <Retry text={from.trouble} onRetry={() => void from.reload()} />}
      {from.data !== undefined ? (
        children(from.data)
      ) : from.trouble ? null : (
        <SkeletonRows rows={rows ?? 4} />
      )}
    </>
  )
}

export const SkeletonRows = ({ rows = 4 }: { rows?: number }) => (
  <ul className={`rows ${styles.bones}`} aria-busy="true" aria-label={t('불러오는 중')}>
    {Array.from({ length: rows }, (_, row) => row).map((row) => (
      <li key={row} className="row spread" data-skeleton>
        <span className="bone" />
        <span className={`bone ${styles.short}`} />
      </li>
    ))}
  </ul>
)

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <TicketOutline />
    <p className="strong">{title}</p>
    {children && <p>{children}</p>}
  </div>
)
