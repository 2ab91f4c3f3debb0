import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { t } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { Button } from '../ui/Button.tsx'
import { Group } from '../ui/card.tsx'
import rowStyles from '../ui/Rows.module.css'
import { Loaded, useResource } from '../ui/resource.tsx'
import { ContentEditor } from './ContentEditor.tsx'
import { type Content, loadContent } from './content-source.ts'
import { $edit, $isOpenWanted } from './content-store.ts'

/** The open event's content: free until its first ticket, from then on only its links change. */
export function OpenContent() {
  const event = useStore($event)
  const open = useResource(() => loadContent('open'), { key: `${event?.eventNumber} ${event?.lockedAt}` })
  return (
    <Loaded from={open} rows={4}>
      {(content) => <Opened {...content} onSaved={() => void open.reload()} />}
    </Loaded>
  )
}

/** Most of the time nobody changes it: it opens when somebody does, or has. */
function Opened({ eventNumber, isLocked, onSaved }: Content & { onSaved: () => void }) {
  const edit = useStore($edit('open'))
  const [isOpen, setOpen] = useState(edit?.eventNumber === eventNumber)
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
  if (isOpen) return <ContentEditor which="open" title={title} reason={reason} onSaved={onSaved} />
  return (
    <Group title={title} reason={reason}>
      <div className={rowStyles.row}>
        <Button writes tone="edged" onClick={() => setOpen(true)}>
          {isLocked
            ? t('이벤트 {eventNumber}의 링크 바꾸기', { eventNumber })
            : t('이벤트 {eventNumber}의 내용 바꾸기', { eventNumber })}
        </Button>
      </div>
    </Group>
  )
}
