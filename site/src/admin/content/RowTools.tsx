import downIcon from 'lucide-static/icons/arrow-down.svg?raw'
import upIcon from 'lucide-static/icons/arrow-up.svg?raw'
import trashIcon from 'lucide-static/icons/trash-2.svg?raw'
import { useEffect, useRef } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { useContentForm } from './ContentForm.tsx'
import type { ContentDraft, Row } from './content-draft.ts'
import { moved, withAt } from './edit.ts'
import styles from './RowTools.module.css'

type Props = {
  /** What the row is called: "경품 2". */
  name: string
  /** Of the list in the draft. */
  path: string
  at: number
  count: number
  /** The list keeps as many. */
  least?: number
}

/** Moves a row up and down and takes it away, by pointer and keyboard; the focus goes with the row. */
export function RowTools({ name, path, at, count, least = 0 }: Props) {
  const { edit } = useContentForm()
  const buttons = useRef<HTMLDivElement>(null)
  const wanted = useRef<'up' | 'down' | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move, whichever place it led to
  useEffect(() => {
    if (!wanted.current) return
    const [up, down] = buttons.current?.querySelectorAll('button') ?? []
    const [own, other] = wanted.current === 'up' ? [up, down] : [down, up]
    ;(own?.disabled ? other : own)?.focus()
    wanted.current = undefined
  }, [at])
  const move = (way: 'up' | 'down') => {
    wanted.current = way
    edit((draft) => withAt(draft, path, moved(listAt(draft, path), at, at + (way === 'up' ? -1 : 1))))
  }
  const remove = () => {
    // The list is there for the next one to be removed, or to be added.
    buttons.current?.closest<HTMLElement>('[data-list]')?.focus()
    edit((draft) => {
      const row = listAt(draft, path)[at]
      showToast(t('{name}을(를) 뺐습니다', { name }), t('저장하기 전에는 되돌릴 수 있습니다.'), 'plain', {
        label: t('되돌리기'),
        act: () =>
          edit((newest) => withAt(newest, path, listAt(newest, path).toSpliced(at, 0, row as Row<object>))),
      })
      return withAt(draft, path, listAt(draft, path).toSpliced(at, 1))
    })
  }
  return (
    <div ref={buttons} className={styles.tools}>
      <button
        type="button"
        aria-label={t('{name} 위로', { name })}
        disabled={at === 0}
        onClick={() => move('up')}
      >
        <Icon svg={upIcon} />
      </button>
      <button
        type="button"
        aria-label={t('{name} 아래로', { name })}
        disabled={at === count - 1}
        onClick={() => move('down')}
      >
        <Icon svg={downIcon} />
      </button>
      <button
        type="button"
        aria-label={t('{name} 빼기', { name })}
        disabled={count <= least}
        onClick={remove}
      >
        <Icon svg={trashIcon} />
      </button>
    </div>
  )
}

const listAt = (draft: ContentDraft, path: string): readonly Row<object>[] =>
  path
    .split('.')
    .reduce<unknown>(
      (inside, name) => (inside as Record<string, unknown>)[name],
      draft,
    ) as readonly Row<object>[]
