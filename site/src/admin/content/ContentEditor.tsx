import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { Preview } from '../preview/Preview.tsx'
import { AdminError } from '../session/api.ts'
import { isRefusal } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { Conflict } from '../ui/Conflict.tsx'
import { ListCard } from '../ui/card.tsx'
import { confirm } from '../ui/Dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { focusWrong } from '../ui/focus-wrong.ts'
import rowStyles from '../ui/Rows.module.css'
import { Loaded, useResource } from '../ui/resource.tsx'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import styles from './ContentEditor.module.css'
import { ContentForm } from './ContentForm.tsx'
import { ContentTexts, ShippingTexts } from './ContentTexts.tsx'
import { changesBetween, withTheirs } from './changes.ts'
import { type ContentDraft, draftOf, formOf, isSameDraft } from './content-draft.ts'
import { type Content, discardContent, loadContent, saveContent } from './content-source.ts'
import { $edit, type Which } from './content-store.ts'
import { LinkRows } from './LinkRows.tsx'
import { PrizeEditor } from './PrizeEditor.tsx'
import { wrongIn } from './wrong.ts'

type Props = { which: Which; title: string; reason: string; onSaved?: () => void }

/** What an event raffles and says of it, in both languages, beside what visitors will see. */
export function ContentEditor(props: Props) {
  const found = useResource(() => loadContent(props.which))
  return (
    <Loaded from={found} rows={8}>
      {(content) => <Editor {...props} content={content} reload={found.reload} />}
    </Loaded>
  )
}

type EditorProps = Props & { content: Content; reload: () => Promise<void> }

function Editor({ which, title, reason, content: now, reload, onSaved }: EditorProps) {
  const $found = $edit(which)
  const stored = useStore($found)
  // What was typed for an event that is open by now is not meant for the one after it.
  const edit = stored?.eventNumber === now.eventNumber ? stored : undefined
  const saved = useSaved(now)
  const draft = edit?.draft ?? saved
  const isDirty = edit !== undefined && !isSameDraft(edit.draft, saved)
  const [isAsked, setAsked] = useState(false)
  const [refused, setRefused] = useState<Record<string, string>>({})
  const { bad, missing } = wrongIn(draft)
  const wrong = { ...(isAsked && missing), ...bad, ...refused }
  const isWrong = Object.keys({ ...missing, ...bad }).length > 0
  const seen = edit && draftOf(edit.seen)
  const others = edit && seen && isDirty && edit.version !== now.version ? changesBetween(seen, saved) : []
  const form = useRef<HTMLFormElement>(null)
  useLeaveWarning(isDirty)

  useEffect(() => {
    if (stored && !edit) $found.set(undefined)
    // Somebody else saved something that is no part of this, or the very same.
    else if (edit && edit.version !== now.version && others.length === 0)
      $found.set({ ...edit, version: now.version, seen: now.content })
  })
  const hasConflict = others.length > 0
  useEffect(() => {
    if (hasConflict) form.current?.scrollIntoView({ block: 'start' })
  }, [hasConflict])
  const change = (by: (draft: ContentDraft) => ContentDraft) => {
    const newest = $found.get()
    const base = newest?.eventNumber === now.eventNumber ? newest : undefined
    const begun = { eventNumber: now.eventNumber, version: now.version, seen: now.content }
    $found.set({ ...(base ?? begun), draft: by(base?.draft ?? draft) })
    setRefused({})
  }
  const forget = () => {
    $found.set(undefined)
    setRefused({})
    setAsked(false)
  }
  /** After a conflict the form shows what the other administrator saved. */
  const told = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (error) {
      if (isRefusal(error, 'VERSION_CONFLICT', 'EVENT_LOCKED')) await reload()
      const field = error instanceof AdminError ? error.field?.replace(/^content\./, '') : undefined
      if (field && field !== 'content') {
        flushSync(() => setRefused({ [field]: errorText(error, '') }))
        if (form.current) focusWrong(form.current)
      }
      throw error
    }
    forget()
    await reload()
    onSaved?.()
  }
  const [save, isSaving] = useAction(t('이벤트 내용을 저장하지 못했습니다'), async () => {
    await told(() => saveContent(which, formOf(draft), edit?.version ?? now.version))
    if (which === 'next')
      showToast(t('초안을 저장했습니다'), t('다음 이벤트가 시작될 때 공개됩니다.'), 'good')
    else showToast(t('이벤트 내용을 저장했습니다'), t('공개 페이지에 곧 반영됩니다.'), 'good')
  })
  const [discard, isDiscarding] = useAction(t('초안을 버리지 못했습니다'), async () => {
    const body = t('저장한 내용을 버립니다. 다음 이벤트는 지금 이벤트의 내용을 이어받습니다.')
    if (!(await confirm({ title: t('내용 초안 버리기'), action: t('초안 버리기'), body }))) return
    await told(() => discardContent(now.version))
    showToast(t('초안을 버렸습니다'), t('지금 이벤트의 내용을 이어받습니다.'), 'good')
  })
  const [copy, isCopying] = useAction(t('지금 이벤트의 내용을 불러오지 못했습니다'), async () => {
    const { content } = await loadContent('open')
    change(() => draftOf(content))
  })

  return (
    <ListCard title={title} reason={reason} id={`content-${which}`}>
      <ContentForm value={{ draft, wrong, edit: change }}>
        <div className={styles.body}>
          <Preview draft={draft} eventNumber={now.eventNumber} />
          <form
            ref={form}
            className={styles.form}
            aria-label={title}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              setAsked(true)
              if (isWrong) focusWrong(event.currentTarget)
              else if (isDirty) void save()
            }}
          >
            {hasConflict && edit && seen && (
              <Conflict
                changes={others}
                onKeep={() => $found.set({ ...edit, version: now.version, seen: now.content })}
                onTake={() =>
                  $found.set({
                    ...edit,
                    ...{ version: now.version, seen: now.content },
                    draft: withTheirs(edit.draft, seen, saved),
                  })
                }
              />
            )}
            {!now.isLocked && (
              <>
                <ContentTexts />
                <PrizeEditor />
                <ShippingTexts />
              </>
            )}
            <LinkRows />
            <footer className={styles.state} data-save-bar>
              <p aria-live="polite">
                {isDirty ? (
                  <>
                    <b>{t('저장하지 않은 변경이 있습니다.')}</b> {t('이 브라우저에 보관됩니다.')}
                  </>
                ) : (
                  savedText(which, now)
                )}{' '}
                {isAsked && isWrong && <span className="field-error">{t('입력한 값을 확인하세요.')}</span>}
              </p>
              <div className={rowStyles.row}>
                {isDirty && (
                  <Button tone="plain" disabled={isSaving} onClick={forget}>
                    {t('되돌리기')}
                  </Button>
                )}
                {which === 'next' && (isDirty || now.isDraft) && (
                  <Button tone="plain" isBusy={isCopying} onClick={() => void copy()}>
                    {t('지금 이벤트에서 복사')}
                  </Button>
                )}
                {now.isDraft && !isDirty && (
                  <Button writes tone="plain" isBusy={isDiscarding} onClick={() => void discard()}>
                    {t('내용 초안 버리기')}
                  </Button>
                )}
                <Button writes type="submit" disabled={!isDirty} isBusy={isSaving}>
                  {which === 'next' ? t('내용 초안 저장') : t('내용 저장')}
                </Button>
              </div>
            </footer>
          </form>
        </div>
      </ContentForm>
    </ListCard>
  )
}

/** The same rows as long as the same content is saved: their ids are new each time they are read. */
function useSaved({ content, version }: Content): ContentDraft {
  const kept = useRef<{ version: number; draft: ContentDraft } | undefined>(undefined)
  if (kept.current?.version !== version) kept.current = { version, draft: draftOf(content) }
  return kept.current.draft
}

function savedText(which: Which, { isDraft }: Content): string {
  if (which === 'open') return ''
  return isDraft
    ? t('초안이 저장되어 있습니다.')
    : t('저장한 초안이 없습니다. 지금 이벤트의 내용을 이어받습니다.')
}
