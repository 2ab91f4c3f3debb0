import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { AdminContent, EventContent } from '../../../../core/content/event-content.ts'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { $event, loadEvent } from '../session/config.ts'
import { Button } from '../ui/Button.tsx'
import { Group, ListCard } from '../ui/card.tsx'
import { FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { ContentForm } from './ContentForm.tsx'
import styles from './content.module.css'
import { contentFields, wrongInContent } from './content-fields.ts'
import { $isOpenWanted, browserEdits, loadOpenContent, saveOpenContent } from './content-source.ts'

/** The open event's content: free until its first ticket, from then on only its links change. */
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
type Props = { content: AdminContent; reload: () => Promise<void> }

/** Most of the time nobody changes it: it opens when somebody does, or has. */
function Opened({ content, reload }: Props) {
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
  if (isOpen)
    return (
      <ListCard title={title} reason={reason} id="content-open">
        <Editor title={title} content={content} reload={reload} />
      </ListCard>
    )
  return (
    <Group title={title} reason={reason}>
      <Row>
        <Button writes tone="edged" onClick={() => setOpen(true)}>
          {isLocked
            ? t('이벤트 {eventNumber}의 링크 바꾸기', { eventNumber })
            : t('이벤트 {eventNumber}의 내용 바꾸기', { eventNumber })}
        </Button>
      </Row>
    </Group>
  )
}

function Editor({ title, content, reload }: Props & { title: string }) {
  const form = useDraft({
    saved: { ...(content.content as EventContent), eventNumber: content.eventNumber },
    ...{ version: content.version, fields: contentFields, keep: $edits, isWhole: true },
    ...{ judge: wrongInContent, under: 'content' },
    of: ({ eventNumber }) => eventNumber,
    save: ({ version, ...written }) => saveOpenContent(written as Required<typeof written>, version),
    reload: () => Promise.all([reload(), loadEvent()]),
    failure: t('이벤트 내용을 저장하지 못했습니다'),
    told: () => [t('이벤트 내용을 저장했습니다'), t('공개 페이지에 곧 반영됩니다.')],
    undo: ({ version }) => (content.isLocked ? undefined : version),
  })
  return (
    <FormPlace of={form} label={title} className={`stack gap-16 ${styles.card}`}>
      <ContentForm form={form} eventNumber={content.eventNumber} isLocked={content.isLocked} />
      <SaveBar {...form.bar} label={t('내용 저장')} />
    </FormPlace>
  )
}
