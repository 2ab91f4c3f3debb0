import { useEffect, useRef, useState } from 'react'
import { t } from '../language/t.ts'
import { Cancelled, errorText } from './error-text.ts'
import { latestOnly } from './latest.ts'

const pageSize = 100

/** A list that is loaded page by page, newest first; a new `key` starts it again. */
export function usePages<T extends { id: number }>(
  load: (cursor: number | undefined) => Promise<T[]>,
  key: string,
) {
  const [rows, setRows] = useState<T[]>()
  const [hasMore, setMore] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const ask = useRef(load)
  ask.current = load
  const [begin] = useState(latestOnly)

  const read = async (known: T[] | undefined) => {
    const isLatest = begin()
    setBusy(true)
    setTrouble('')
    try {
      const page = await ask.current(known?.at(-1)?.id)
      if (!isLatest()) return
      setRows([...(known ?? []), ...page])
      setMore(page.length === pageSize)
    } catch (error) {
      if (isLatest() && !(error instanceof Cancelled)) setTrouble(errorText(error, t('불러오지 못했습니다.')))
    }
    if (isLatest()) setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new key starts it again
  useEffect(() => {
    setRows(undefined)
    void read(undefined)
    return () => void begin()
  }, [key])

  return { rows, hasMore, isBusy, trouble, more: () => void read(rows), reload: () => void read(undefined) }
}
