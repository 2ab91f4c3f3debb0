import downIcon from 'lucide-static/icons/arrow-down.svg?raw'
import upIcon from 'lucide-static/icons/arrow-up.svg?raw'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import trashIcon from 'lucide-static/icons/trash-2.svg?raw'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { signsOf } from '../../../../core/content/clean-text.ts'
import { Icon } from '../../shell/Icon.tsx'
import { Stack } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { Button } from '../ui/action.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { count } from '../ui/format.ts'
import styles from './content.module.css'
import { type ContentDraft, moved, partAt, type Row, textAt, withAt } from './content-draft.ts'

type Rows = readonly Row<object>[]
const rowsAt = (draft: ContentDraft, path: string) => partAt(draft, path) as Rows

type ListProps = {
  title: string
  path: string
  hint?: ReactNode
  nameOf: (at: number) => string
  mark?: (at: number) => ReactNode
  add: ReactNode
  children: (path: string, at: number) => ReactNode
}

export function RowList({ title, path, hint, nameOf, mark, add, children }: ListProps) {
  const { draft } = useContentForm()
  return (
    <fieldset className={`stack ${styles.rows}`} tabIndex={-1} data-list>
      <legend className="strong">{title}</legend>
      {hint && <p className="hint">{hint}</p>}
      {rowsAt(draft, path).map(({ id }, at) => (
        <fieldset key={id} className={styles.row} aria-label={nameOf(at)} data-tight>
          {mark ? mark(at) : <span className="figure faint">{at + 1}</span>}
          <Stack className={styles.fields}>{children(`${path}.${at}`, at)}</Stack>
          <RowTools name={nameOf(at)} path={path} at={at} />
        </fieldset>
      ))}
      {add}
    </fieldset>
  )
}

type AddProps = { path: string; most: number; empty: () => Row<object>; children: string }

export function AddRow({ path, most, empty, children }: AddProps) {
  const { draft, edit } = useContentForm()
  return (
    <Button
      tone="edged"
      size="compact"
      icon={plusIcon}
      disabled={rowsAt(draft, path).length >= most}
      onClick={() => edit((newest) => withAt(newest, path, [...rowsAt(newest, path), empty()]))}
    >
      {children}
    </Button>
  )
}

type Props = {
  name: string
  path: string
  at: number
  least?: number
}

export function RowTools({ name, path, at, least = 0 }: Props) {
  const { draft, edit } = useContentForm()
  const count = rowsAt(draft, path).length
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
    edit((newest) => withAt(newest, path, moved(rowsAt(newest, path), at, at + (way === 'up' ? -1 : 1))))
  }
  const remove = () => {
    // The list is there for the next one to be removed, or to be added.
    buttons.current?.closest<HTMLElement>('[data-list]')?.focus()
    edit((newest) => {
      const row = rowsAt(newest, path)[at]
      const putBack = (later: ContentDraft) =>
        withAt(later, path, rowsAt(later, path).toSpliced(at, 0, row as Row<object>))
      showToast(t('{name} 항목을 뺐습니다', { name }), t('저장하기 전에는 되돌릴 수 있습니다.'), 'plain', {
        label: t('되돌리기'),
        act: () => edit(putBack),
      })
      return withAt(newest, path, rowsAt(newest, path).toSpliced(at, 1))
    })
  }
  const tool = (label: string, icon: string, isOff: boolean, act: () => void) => (
    <button type="button" className="tool" aria-label={label} disabled={isOff} onClick={act}>
      <Icon svg={icon} />
    </button>
  )
  return (
    <div ref={buttons} className={`row whole gap-4 ${styles.tools}`}>
      {tool(t('{name} 위로', { name }), upIcon, at === 0, () => move('up'))}
      {tool(t('{name} 아래로', { name }), downIcon, at === count - 1, () => move('down'))}
      {tool(t('{name} 빼기', { name }), trashIcon, count <= least, remove)}
    </div>
  )
}

export type ContentState = {
  draft: ContentDraft
  wrong: Readonly<Record<string, string>>
  /** The new draft of the newest one: uploads end while others are typing. */
  edit: (change: (draft: ContentDraft) => ContentDraft) => void
  /** The content of the event before: texts that are still its own are marked. */
  last?: ContentDraft | undefined
}
const Context = createContext<ContentState | undefined>(undefined)

export const ContentProvider = Context.Provider

export function useContentForm(): ContentState {
  const form = useContext(Context)
  if (!form) throw new Error('A field of a content stands in its form.')
  return form
}

type FieldProps = {
  label: string
  path: string
  max: number
  rows?: number
  lang?: 'en' | 'ko'
  /** Its length is told only once it is near the most. */
  isShort?: boolean
}

export function ContentField({ label, path, max, rows, lang, isShort = false }: FieldProps) {
  const { draft, wrong, edit, last } = useContentForm()
  const value = textAt(draft, path)
  const signs = signsOf(value.trim())
  const isLast = last !== undefined && value.trim() !== '' && value === textAt(last, path)
  const props = {
    ...{ label, value, lang, error: wrong[path], autoComplete: 'off', 'data-path': path },
    hint: (
      <>
        {(!isShort || signs > max * 0.7) && (
          <span className="figure">
            {count(signs)} / {count(max)}
          </span>
        )}
        {isLast && <span data-last> {t('지난 이벤트와 같은 글')}</span>}
      </>
    ),
    onChange: (text: string) => edit((newest) => withAt(newest, path, text)),
  }
  return rows ? <TextArea {...props} rows={rows} dir="auto" /> : <TextField {...props} dir="auto" />
}

type BothProps = Omit<FieldProps, 'lang'> & { hint?: ReactNode }

export const BothFields = ({ label, path, hint, ...rest }: BothProps) => (
  <fieldset className={styles.both}>
    {/* Each field says its own name; the group is for those who do not see them side by side. */}
    <legend className="visually-hidden">{label}</legend>
    {hint && <p className="hint">{hint}</p>}
    <div className="pair">
      <ContentField {...rest} label={`${label} · English`} path={`${path}.en`} lang="en" />
      <ContentField {...rest} label={t('{label} · 한국어', { label })} path={`${path}.ko`} lang="ko" />
    </div>
  </fieldset>
)
