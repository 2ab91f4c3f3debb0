import { useCallback, useEffect, useRef, useState } from 'react'
import { Cancelled, errorText } from './error-text.ts'

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
  const isOpen = useRef(true)
  const latest = useRef(0)

  const reload = useCallback(async () => {
    latest.current += 1
    const own = latest.current
    try {
      const found = await ask.current()
      if (!isOpen.current || own !== latest.current) return
      setData(found)
      setTrouble('')
    } catch (error) {
      if (isOpen.current && own === latest.current && !(error instanceof Cancelled))
        setTrouble(errorText(error, '불러오지 못했습니다.'))
    }
  }, [])

  useEffect(() => {
    isOpen.current = true
    void reload()
    const again = () => {
      if (document.visibilityState === 'visible') void reload()
    }
    const timer = everyMs === undefined ? undefined : setInterval(again, everyMs)
    if (everyMs !== undefined) document.addEventListener('visibilitychange', again)
    return () => {
      isOpen.current = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [reload, everyMs])

  return { data, trouble, reload }
}
