import { useStore } from '@nanostores/react'
import type { PublicDrawnTicket, PublicWinner } from '../../../../core/live/public.ts'
import { $now } from '../../live/clock.ts'
import { $live } from '../../live/live.ts'
import { hasWinner } from '../../live/stage.ts'
import { apiBase } from '../../shell/api.ts'
import { t } from '../language/t.ts'
import { PrizeDesk } from '../prize/PrizeDesk.tsx'
import { loadEvent, useEvent } from '../session/config.ts'
import { type AdminConfig, type AnchorState, api, call, isRefusal, within } from '../session/session.ts'
import { leaveNotice } from '../session/token.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Address, HashText, Wallet } from '../ui/address.tsx'
import { Badge, DangerAct, DangerZone, Fact, Group, ListCard, TextFact } from '../ui/card.tsx'
import { count, inWords } from '../ui/format.ts'
import { type Column, Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { AnchorCard, BeaconCard } from './AnchorCard.tsx'
import { type Condition, drawConditions, drawStanding } from './draw-conditions.ts'

export function DrawTab() {
  const event = useEvent()
  // The live state that visitors get does not include freeze and anchor.
  const anchors = useResource(
    () => {
      void loadEvent()
      return call(() => api.raffle.anchor.get())
    },
    { everyMs: 4_000 },
  )
  return (
    <Loaded from={event} rows={6}>
      {(open) => <Draw event={open} anchors={anchors.data} />}
    </Loaded>
  )
}

function Draw({ event, anchors }: { event: AdminConfig; anchors: AnchorState | undefined }) {
  const live = useStore($live)
  const now = useStore($now)
  const standing = drawStanding(event, live, now)
  const winner = hasWinner(live.winner) ? live.winner : undefined
  return (
    <>
      {winner ? (
        <WinnerCard winner={winner} drawn={live.winners ?? []} />
      ) : (
        <NextCard standing={standing} conditions={drawConditions(event, live, now)} />
      )}
      <PrizeDesk />
      {live.config?.entropy === 'blocks+drand' && live.drawStatus && (
        <BeaconCard config={live.config} drawStatus={live.drawStatus} />
      )}
      <AnchorCard event={event} state={anchors?.eventNumber === event.eventNumber ? anchors : undefined} />
      <DrawDanger event={event} isReady={standing.state === 'ready'} winner={winner} />
      <p className="hint">
        {t('추첨 기록과 명단:')} <a href={`${apiBase}/api/raffle/changes`}>{t('공개 변경 기록')}</a>
        {event.frozenAt && (
          <>
            {' · '}
            <a href={`${apiBase}/api/raffle/ledger/${event.eventNumber}`}>{t('티켓 명단 파일')}</a>
          </>
        )}
      </p>
    </>
  )
}

type NextProps = { standing: ReturnType<typeof drawStanding>; conditions: readonly Condition[] }

function NextCard({ standing: { state, text, next }, conditions }: NextProps) {
  const met = conditions.filter((condition) => condition.state === 'passed').length
  return (
    <ListCard
      title={t('추첨 조건')}
      reason={t(
        '모두 충족되면 추첨할 수 있습니다. 추첨 블록은 추첨 시각으로 정해지므로, 언제 눌러도 결과는 같습니다.',
      )}
      actions={
        <Badge tone={state === 'ready' ? 'ok' : state === 'failed' ? 'bad' : 'wait'}>
          {t('{all}개 중 {met}개 충족', { all: conditions.length, met })}
        </Badge>
      }
    >
      <p>
        {next ? (
          <>
            <b>{t('다음: {name}', { name: next })}</b> {text}
          </>
        ) : (
          <b>{text}</b>
        )}
      </p>
      <Table<Condition>
        label={t('추첨 조건')}
        rows={conditions}
        idOf={({ name }) => name}
        columns={columns}
      />
    </ListCard>
  )
}

const columns: Column<Condition>[] = [
  { name: t('조건'), place: 'lead', cell: ({ name }) => <b>{name}</b> },
  { name: t('내용'), cell: ({ found }) => found },
  {
    name: t('상태'),
    place: 'end',
    cell: ({ state }) =>
      state === 'passed' ? (
        <Badge tone="ok">{t('충족')}</Badge>
      ) : state === 'failed' ? (
        <Badge tone="bad">{t('불가')}</Badge>
      ) : (
        <Badge tone="held">{t('대기')}</Badge>
      ),
  },
]

function WinnerCard({ winner, drawn }: { winner: PublicWinner; drawn: readonly PublicDrawnTicket[] }) {
  const { eventNumber, walletAddress, ticketNumber, transactionHash, randomNumber, announcedAt } = winner
  const winners = drawn.filter(({ kind }) => kind === 'winner')
  const reserves = drawn.filter(({ kind }) => kind === 'reserve')
  return (
    <Group
      title={t('이벤트 {eventNumber} 당첨자', { eventNumber })}
      reason={t('공개 페이지에 발표되어 있습니다.')}
    >
      <Address value={walletAddress} label={t('당첨 지갑 복사')} />
      <dl className="summary">
        <Fact name={t('당첨 티켓')}>#{count(ticketNumber)}</Fact>
        <Fact name={t('거래')}>
          <HashText hash={transactionHash} head={14} />
        </Fact>
        <TextFact name={t('발표 시각 (한국)')}>{inWords(announcedAt)}</TextFact>
      </dl>
      {winners.length > 1 && (
        <DrawnTable label={t('이벤트 {eventNumber} 당첨자', { eventNumber })} drawn={winners} />
      )}
      <div>
        <p className="field-label">{t('난수')}</p>
        <p className="figure break size-14" translate="no">
          {randomNumber}
        </p>
      </div>
      {reserves.length > 0 && (
        <details>
          <summary>{t('예비 {count}명', { count: reserves.length })}</summary>
          <DrawnTable label={t('이벤트 {eventNumber} 예비', { eventNumber })} drawn={reserves} />
        </details>
      )}
    </Group>
  )
}

const drawnColumns: Column<PublicDrawnTicket>[] = [
  { name: t('순위'), cell: ({ kind, place }) => `${kind === 'winner' ? t('당첨') : t('예비')} ${place}` },
  { name: t('티켓'), cell: ({ ticketNumber }) => `#${count(ticketNumber)}`, isFigure: true },
  { name: t('지갑'), cell: ({ walletAddress }) => <Wallet address={walletAddress} /> },
  { name: t('결제 거래'), cell: ({ transactionHash }) => <HashText hash={transactionHash} head={14} /> },
]

export const DrawnTable = ({ label, drawn }: { label: string; drawn: readonly PublicDrawnTicket[] }) => (
  <Table label={label} columns={drawnColumns} rows={drawn} idOf={({ kind, place }) => `${kind} ${place}`} />
)

type DangerProps = { event: AdminConfig; isReady: boolean; winner: PublicWinner | undefined }

const DrawDanger = ({ event: { eventNumber }, isReady, winner }: DangerProps) => (
  <DangerZone>
    <DangerAct
      title={t('블록체인 추첨')}
      button={<ActionButton action={draw} row={eventNumber} size="normal" disabled={!isReady} />}
    >
      {isReady
        ? t('당첨자를 뽑아 발표합니다. 한 번뿐이며 되돌릴 수 없습니다.')
        : winner
          ? t('이 이벤트의 당첨자가 이미 발표되어 있습니다.')
          : t('위 조건이 모두 충족되면 누를 수 있습니다. 한 번뿐이며 되돌릴 수 없습니다.')}
    </DangerAct>
    <DangerAct
      title={t('당첨자 발표 지우기')}
      button={<ActionButton action={clear} row={eventNumber} size="normal" disabled={!winner} />}
    >
      {winner
        ? t('홈 화면에서 당첨자 발표를 내립니다. 다시 추첨하면 같은 당첨자가 나옵니다.')
        : t('발표된 당첨자가 없습니다.')}
    </DangerAct>
  </DangerZone>
)

const typed = (eventNumber: number) => ({
  label: t('확인을 위해 이벤트 번호를 입력하세요: {eventNumber}', { eventNumber }),
  value: `${eventNumber}`,
})

const draw: Action<number> = {
  name: t('추첨 시작'),
  failure: t('블록체인 추첨에 실패했습니다'),
  ask: (eventNumber) => ({
    typed: typed(eventNumber),
    body: t(
      '모든 방문자 화면에서 10초 동안 추첨이 진행되고 당첨자가 발표됩니다. 이벤트마다 한 번뿐이며 다시 추첨할 수 없습니다.',
    ),
  }),
  async run() {
    // The block of the draw date may be some seconds from final when the button is pressed at once.
    await whenFinal(() => call(() => api.blockchain.draw.post(undefined, within(60_000))))
    await reloadWith(t('추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.'))
  },
  writes: true,
  tone: 'danger',
}
const clear: Action<number> = {
  name: t('발표 지우기'),
  failure: t('당첨자 초기화에 실패했습니다'),
  ask: (eventNumber) => ({
    title: t('당첨자 발표 지우기'),
    typed: typed(eventNumber),
    body: t(
      '공개 페이지에서 당첨자가 사라집니다. 추첨 기록은 지워지지 않으며, 다시 추첨하면 같은 당첨자가 발표됩니다. 지운 사실은 공개 변경 기록에 남습니다.',
    ),
  }),
  async run() {
    await call(() => api.raffle.winner.delete())
    await reloadWith(t('당첨자 발표를 지웠습니다.'))
  },
  writes: true,
  tone: 'danger-edged',
}

const everyMs = 2_000
const tries = 10

/** Retries for some seconds while the server only answers that a block is not final. */
async function whenFinal<T>(act: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await act()
    } catch (error) {
      if (tried === tries || !isRefusal(error, 'NOT_FINAL')) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
}

async function reloadWith(notice: string): Promise<void> {
  leaveNotice(notice)
  if ('caches' in window)
    for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false)
  location.reload()
}
