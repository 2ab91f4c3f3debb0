import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { type EventContent, contentLimits as most } from '../../../../core/content/event-content.ts'
import type { Answer } from '../../shell/answers.ts'
import { Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Preview } from '../preview/Preview.tsx'
import { $event, loadEvent } from '../session/config.ts'
import { Button } from '../ui/action.tsx'
import { ListCard } from '../ui/card.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import styles from './content.module.css'
import { contentFields, emptyLink, textAt, withAt, wrongInContent } from './content-draft.ts'
import { $isOpenWanted, browserEdits, loadOpenContent, saveOpenContent } from './content-source.ts'
import { PrizeEditor } from './PrizeEditor.tsx'
import { AddRow, BothFields, ContentProvider, type ContentState, RowList, useContentForm } from './Rows.tsx'

type Props = { form: ContentState; eventNumber: number; isLocked?: boolean }

export const ContentForm = ({ form, eventNumber, isLocked = false }: Props) => (
  <ContentProvider value={form}>
    <div className={`stack gap-28 ${styles.body}`}>
      <Preview draft={form.draft} eventNumber={eventNumber} />
      <Stack gap={16}>
        {!isLocked && (
          <>
            <p className="hint">{t('한 언어를 비워 두면 다른 언어의 글이 그 자리에 실립니다.')}</p>
            <BothFields
              label={t('제목')}
              path="title"
              max={most.titleLines * (most.titleLine + 1)}
              rows={3}
              hint={t('{titleLines}줄까지, 한 줄에 {titleLine}자. 줄을 바꾼 곳에서 제목도 바뀝니다.', {
                titleLines: most.titleLines,
                titleLine: most.titleLine,
              })}
            />
            <BothFields
              label={t('소개')}
              path="lead"
              max={most.lead}
              rows={3}
              hint={t('{price}는 티켓 가격으로 바뀝니다.')}
            />
            <BothFields
              label={t('검색과 공유 요약')}
              path="summary"
              max={most.summary}
              rows={3}
              hint={t('검색 결과와 공유한 링크에 나타나는 한 문단입니다.')}
            />
            <PrizeEditor />
            <BothFields label={t('배송 안내')} path="shipping" max={most.shipping} rows={2} />
          </>
        )}
        <LinkRows />
      </Stack>
    </div>
  </ContentProvider>
)

function LinkRows() {
  const { draft, wrong, edit } = useContentForm()
  return (
    <RowList
      title={t('링크')}
      path="links"
      add={
        <AddRow path="links" most={most.links} empty={emptyLink}>
          {t('링크 추가')}
        </AddRow>
      }
      nameOf={(at) => t('링크 {at}', { at: at + 1 })}
    >
      {(path) => (
        <>
          <BothFields label={t('이름')} path={`${path}.label`} max={most.label} isShort />
          <TextField
            label={t('주소')}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            isMono
            value={textAt(draft, `${path}.url`)}
            error={wrong[`${path}.url`]}
            onChange={(text) => edit((newest) => withAt(newest, `${path}.url`, text))}
          />
        </>
      )}
    </RowList>
  )
}

export function OpenContent() {
  const event = useStore($event)
  const open = useResource(loadOpenContent, {
    key: `${event?.eventNumber} ${event?.lockedAt} ${event?.version}`,
  })
  return (
    <Loaded from={open} rows={4}>
      {(content) => <Opened content={content} reload={open.reload} />}
    </Loaded>
  )
}

type Saved = EventContent & { eventNumber: number }
const $edits = browserEdits<Saved>('open')
type OpenContentProps = { content: Answer<'get', '/api/admin/raffle/content'>; reload: () => Promise<void> }

/** Most of the time nobody changes it: it opens when somebody does, or has. */
function Opened({ content, reload }: OpenContentProps) {
  const { eventNumber, isLocked } = content
  const [isOpen, setOpen] = useState($edits.get()?.seen.eventNumber === eventNumber)
  const isWanted = useStore($isOpenWanted)
  useEffect(() => {
    if (!isWanted) return
    setOpen(true)
    $isOpenWanted.set(false)
  }, [isWanted])
  const title = t('이벤트 {eventNumber}의 내용', { eventNumber })
  const reason = isLocked
    ? t('구매자에게 약속한 내용이라 잠겼습니다. 링크만 바꿀 수 있습니다.')
    : t('첫 티켓이 판매되기 전까지 바꿀 수 있고 바로 공개됩니다. 그 뒤에는 링크만 바꿀 수 있습니다.')
  const open = (
    <Button writes tone="edged" onClick={() => setOpen(true)}>
      {isLocked
        ? t('이벤트 {eventNumber}의 링크 바꾸기', { eventNumber })
        : t('이벤트 {eventNumber}의 내용 바꾸기', { eventNumber })}
    </Button>
  )
  return (
    <ListCard title={title} reason={reason} {...(isOpen ? { id: 'content-open' } : { actions: open })}>
      {isOpen && <Editor title={title} content={content} reload={reload} />}
    </ListCard>
  )
}

function Editor({ title, content, reload }: OpenContentProps & { title: string }) {
  const form = useDraft({
    saved: { ...(content.content as EventContent), eventNumber: content.eventNumber },
    ...{ version: content.version, fields: contentFields, keep: $edits, isWhole: true },
    judge: wrongInContent,
    of: ({ eventNumber }) => eventNumber,
    save: ({ version, ...written }) => saveOpenContent(written as Required<typeof written>, version),
    reload: () => Promise.all([reload(), loadEvent()]),
    failure: t('이벤트 내용을 저장하지 못했습니다'),
    told: () => [t('이벤트 내용을 저장했습니다'), t('공개 페이지에 곧 반영됩니다.')],
    undo: ({ version }) => (content.isLocked ? undefined : version),
  })
  return (
    <FormPlace of={form} label={title}>
      <ContentForm form={form} eventNumber={content.eventNumber} isLocked={content.isLocked} />
      <SaveBar of={form} label={t('내용 저장')} />
    </FormPlace>
  )
}
