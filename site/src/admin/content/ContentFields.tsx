import { createContext, type ReactNode, useContext } from 'react'
import { signsOf } from '../../../../core/content/clean-text.ts'
import { t } from '../language/t.ts'
import { TextArea, TextField } from '../ui/Field.tsx'
import { count } from '../ui/numbers.ts'
import styles from './content.module.css'
import { type ContentDraft, textAt, withAt } from './content-draft.ts'

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

/** One text of the content, with how long it is and may be. */
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

/** A text in English and Korean, side by side. */
export const BothFields = ({ label, path, hint, ...rest }: BothProps) => (
  <fieldset className={styles.both}>
    <legend>{label}</legend>
    {hint && <p className="hint">{hint}</p>}
    <div className="pair">
      <ContentField {...rest} label={`${label} · English`} path={`${path}.en`} lang="en" />
      <ContentField {...rest} label={t('{label} · 한국어', { label })} path={`${path}.ko`} lang="ko" />
    </div>
  </fieldset>
)
