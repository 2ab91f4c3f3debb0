import { useStore } from '@nanostores/react'
import { outlivesBeacon } from '../../../../core/draw/beacon.ts'
import { $now } from '../../live/clock.ts'
import { Pair, Row, Stack } from '../../shell/Layout.tsx'
import { ContentForm } from '../content/ContentForm.tsx'
import { contentFields, winnersOf, wrongInContent } from '../content/content-draft.ts'
import { browserEdits } from '../content/content-source.ts'
import { language, rich, t } from '../language/t.ts'
import { $event, loadEvent } from '../session/config.ts'
import { type Action, ActionButton, Button } from '../ui/action.tsx'
import { Badge, Group, ListCard } from '../ui/card.tsx'
import { draftOf } from '../ui/draft.ts'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { inWords, toField } from '../ui/format.ts'
import listStyles from '../ui/list.module.css'
import { Loaded, useResource } from '../ui/resource.tsx'
import {
  discardNextEvent,
  loadNextEvent,
  type NextEvent,
  nextFields,
  openNextEvent,
  saveNextEvent,
  termFields,
} from './next-form.tsx'
import { type Archived, archivedText, NextPromises, PromisedContent } from './promises.tsx'

export function EventTab() {
  const event = useStore($event)
  // The open event has ended, or another administrator opened the next one.
  const found = useResource(loadNextEvent, { key: `${event?.eventNumber} ${event?.isOver}` })
  return (
    <Loaded from={found} rows={8}>
      {(next) => <NextEventForm next={next} reload={found.reload} />}
    </Loaded>
  )
}

const $edits = browserEdits<NextEvent['saved']>('next')

/** @internal */
export function NextEventForm({ next, reload }: { next: NextEvent; reload: () => Promise<void> }) {
  const { terms, saved, version } = next
  const { eventNumber } = saved
  const form = useDraft({
    ...{ saved, version, fields: nextFields(terms, useStore($now)), keep: $edits },
    ...{ isWhole: true, judge: wrongInContent },
    // What was typed for an event that is open by now is not meant for the one after it.
    of: (seen) => seen.eventNumber,
    save: (body, { changed, undone }) => saveNextEvent(body, { changed, undone: undone && next }),
    reload,
    failure: t('이벤트 설정 업데이트에 실패했습니다'),
    told: () => [
      t('이벤트 설정을 저장했습니다'),
      t('“Next Event”는 바로, 조건과 내용은 다음 이벤트가 시작될 때 공개됩니다.'),
    ],
    undo: (after) => after,
    unchanged: t('최소 하나의 설정을 변경해주세요'),
  })
  const last = draftOf(contentFields, next.last)
  const title = form.draft.title[language].replaceAll('\n', ' ')
  return (
    <FormPlace of={form} label={t('다음 이벤트')}>
      <Group
        title={t('상품')}
        reason={t('공개 페이지의 “Next Event”에 나타납니다. 진행 중인 추첨과는 별개입니다.')}
      >
        <Fields of={form} names={['prizeImageUrl']} />
        <Pair>
          <Fields of={form} names={['prizeValue', 'eventStartDate']} />
        </Pair>
        <Fields of={form} names={['prizeDescription']} />
        <Row>
          <Badge tone={saved.isActive ? 'ok' : 'held'}>{saved.isActive ? t('공개 중') : t('준비 중')}</Badge>
          <span className="hint">
            {saved.updatedAt
              ? t('마지막 변경 {updatedAt}', { updatedAt: inWords(saved.updatedAt) })
              : t('아직 저장한 내용이 없습니다.')}
            {!saved.isActive && ` ${t('저장하면 공개로 바뀝니다.')}`}
          </span>
        </Row>
      </Group>
      <Group
        title={t('다음 이벤트 조건')}
        reason={t(
          '다음 이벤트({eventNumber})가 시작될 때부터 적용됩니다. 진행 중인 이벤트의 조건은 바뀌지 않고, 초안은 공개되지 않습니다.',
          { eventNumber },
        )}
      >
        <Pair>
          <Fields of={form} names={['drawDate', 'minTicketsForDraw']} />
        </Pair>
        <details>
          <summary>{t('그 밖의 조건: 추첨 시작, 경품 수령 기한, 추첨 난수')}</summary>
          <Stack gap={16}>
            <Pair>
              <Fields of={form} names={['autoDraw', 'claimDays']} />
            </Pair>
            <Fields of={form} names={['entropy']} />
          </Stack>
        </details>
        <NextPromises terms={terms} />
        <Row>
          <Button writes tone="edged" size="small" onClick={() => form.edit(asLastTime(next))}>
            {t('지난번처럼 채우기')}
          </Button>
          {!form.isDirty && (terms.savedAt !== null || next.isContentDrafted) && (
            <ActionButton action={discard} row={next} onDone={reload} onRefused={reload} />
          )}
          {terms.canOpen && terms.draft.drawDate && (
            <ActionButton
              action={start(eventNumber)}
              row={next}
              onRefused={reload}
              disabled={form.isDirty || form.isWrong}
              onDone={() => Promise.all([reload(), loadEvent()])}
            />
          )}
          <span className="hint">{t('지금 이벤트의 내용과 조건으로 채웁니다. 날짜는 직접 정하세요.')}</span>
        </Row>
      </Group>
      <ListCard
        title={t('다음 이벤트 내용')}
        reason={t('다음 이벤트가 시작될 때 공개되고, 당첨자 수와 경품은 여기에서 정해집니다.')}
      >
        <details id="content-next">
          <summary>
            {t('{title} · 경품 {prizes}개 · 당첨자 {winners}명', {
              title: title || t('이름 없음'),
              prizes: form.draft.prizes.length,
              winners: winnersOf(form.draft),
            })}
          </summary>
          <ContentForm
            form={{ draft: form.draft, wrong: form.wrong, edit: form.edit, last }}
            eventNumber={eventNumber}
          />
        </details>
      </ListCard>
      <SaveBar of={form} label={t('이벤트 저장')} />
    </FormPlace>
  )
}

const asLastTime = ({ terms, last }: NextEvent) => {
  const { drawDate, ...fields } = termFields(terms, 0)
  return draftOf({ ...fields, ...contentFields }, { ...terms.current, ...last })
}

const discard: Action<NextEvent> = {
  name: t('초안 버리기'),
  failure: t('초안을 버리지 못했습니다'),
  tone: 'plain',
  writes: true,
  ask: () => ({
    body: t(
      '저장한 조건과 내용을 모두 버립니다. 다음 이벤트는 서버 설정과 지금 이벤트의 내용, 최소 참여 인원을 따릅니다.',
    ),
  }),
  run: discardNextEvent,
  told: () => [t('초안을 버렸습니다'), t('지금 이벤트의 내용을 이어받습니다.')],
}

const start = (eventNumber: number): Action<NextEvent, Archived> => ({
  name: t('이벤트 {eventNumber} 시작', { eventNumber }),
  failure: t('다음 이벤트를 시작하지 못했습니다'),
  tone: 'ink',
  writes: true,
  ask: (next) => ({ action: t('보관하고 시작'), body: <Promised {...next} /> }),
  // Whoever saves another draft meanwhile ends it with a conflict: what is agreed to is what the dialog names.
  run: openNextEvent,
  told: (_, opened) => [t('다음 이벤트를 시작했습니다'), archivedText(opened)],
})

function Promised({ terms: { eventNumber, next }, saved, last }: NextEvent) {
  return (
    <ul className={`stack gap-8 ${listStyles.plain}`}>
      <li>
        {t(
          '이벤트 {eventNumber}의 기록이 보관되고 이벤트 {next}의 판매가 바로 시작됩니다. 되돌릴 수 없습니다.',
          { eventNumber: eventNumber - 1, next: eventNumber },
        )}
      </li>
      <li>
        {rich('추첨: {drawDate}, 판매 종료: {saleEndDate}', {
          drawDate: <b className="figure">{toField(next.drawDate)} UTC</b>,
          saleEndDate: <b className="figure">{toField(next.saleEndDate)} UTC</b>,
        })}
      </li>
      <PromisedContent content={saved} last={last} />
      <li>{t('저장한 초안의 조건이 모두 적용됩니다.')}</li>
      {next.drawDate && outlivesBeacon({ entropy: next.entropy, drawDate: new Date(next.drawDate) }) && (
        <li>{t('drand 네트워크가 이 추첨 일시 전에 종료됩니다. 회차가 나오지 않으면 모두 환불됩니다.')}</li>
      )}
    </ul>
  )
}
