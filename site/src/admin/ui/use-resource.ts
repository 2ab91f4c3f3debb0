import { useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../language/t.ts'
import { Cancelled, errorText } from './error-text.ts'
import { latestOnly } from './latest.ts'

export type Resource<T> = {
  data: T | undefined
  /** The last error; `data` may still be there from an earlier load. */
  trouble: string
  reload: () => Promise<void>
}

type Options = {
  /** Interval of refreshes while the page is visible. */
  everyMs?: number
  /** What is asked for: the data of another key stay until the new ones are there. */
  key?: string
}

/** Data from the server that a tab shows while it is open. */
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
