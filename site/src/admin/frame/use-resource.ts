import { useCallback, useEffect, useRef, useState } from 'react'
import { Cancelled, errorText } from './error-text.ts'
import { latestOnly } from './latest.ts'

export type Resource<T> = {
  data: T | undefined
  /** What went wrong last; `data` may still be there from before. */
  trouble: string
  reload: () => Promise<void>
}

type Options = {
  /** Asked again after this long, while the page is visible. */
  everyMs?: number
}

/** What a tab shows from the server, for as long as the tab is open. */
export function useResource<T>(load: () => Promise<T>, { everyMs }: Options = {}): Resource<T> {
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
      if (isLatest() && !(error instanceof Cancelled)) setTrouble(errorText(error, '불러오지 못했습니다.'))
    }
  }, [begin])

  useEffect(() => {
    void reload()
    const again = () => {
      if (document.visibilityState === 'visible') void reload()
    }
    const timer = everyMs === undefined ? undefined : setInterval(again, everyMs)
    if (everyMs !== undefined) document.addEventListener('visibilitychange', again)
    return () => {
      // What is under way is nobody's any more.
      begin()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [begin, reload, everyMs])

  return { data, trouble, reload }
}
