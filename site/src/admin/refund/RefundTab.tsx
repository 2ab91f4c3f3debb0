import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { refundFile } from '../exports/DataTab.tsx'
import { t, words } from '../language/t.ts'
import { api, call } from '../session/session.ts'
import { HashText, Wallet } from '../ui/address.tsx'
import { ActNote, Badge, Figure, Figures, Folded, ListCard, Note } from '../ui/card.tsx'
import { DownloadButton } from '../ui/download.tsx'
import { count, inShortWords, usdtColumn } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { Loaded, usePages, useResource } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { openTab } from '../ui/tab.ts'
import { DangerActs } from './DangerActs.tsx'
import { $run, $scope, isRunning, money, type RefundRow, type RefundSummary, stateTexts } from './desk.ts'
import { PayerFacts } from './PayerFacts.tsx'
import styles from './refund.module.css'
import { SigningCard } from './SigningCard.tsx'

export function RefundTab() {
  const run = useStore($run)
  const key = `${run?.phase} ${run?.paid.length}`
  const summary = useResource(() => call(() => api.refunds.summary.get()), { everyMs: 4_000, key })
  return (
    <>
      <Loaded from={summary} rows={6}>
        {(data) => <Desk summary={data} onChange={summary.reload} />}
      </Loaded>
      <Folded title={t('이벤트별 환불 기록')}>
        <Records />
      </Folded>
      <DangerActs events={summary.data?.events ?? []} />
    </>
  )
}

/** @internal */
export function Desk({ summary, onChange }: { summary: RefundSummary; onChange: () => Promise<void> }) {
  const [filter, setFilter] = useState<Filter>('')
  return (
    <>
      <Totals summary={summary} />
      <Hindrances summary={summary} onFilter={setFilter} />
      <div className={styles.columns}>
        {summary.payers.owed > 0 && <SigningCard summary={summary} />}
        <PayerList summary={summary} filter={filter} onFilter={setFilter} onChange={onChange} />
      </div>
    </>
  )
}

function Totals({ summary: { owed, paid, due, held, payers } }: { summary: RefundSummary }) {
  const people = (n: number) => t('주소 {count}개', { count: count(n) })
  const left = BigInt(due) + BigInt(held)
  const ofLeft =
    left > 0n
      ? held === '0'
        ? people(payers.due + payers.sent)
        : t('그중 보류 {held}', { held: money(held) })
      : payers.owed > 0
        ? t('모두 돌려주었고 체인에서 확정되었습니다.')
        : t('돌려줄 돈이 없습니다.')
  return (
    <Figures label={t('환불 합계')}>
      <Figure name={t('돌려줄 금액 (USDT)')} value={money(owed)}>
        {people(payers.owed)}
      </Figure>
      <Figure name={t('돌려준 금액 (USDT)')} value={money(paid)}>
        {t('완료 {count}개', { count: count(payers.settled) })}
      </Figure>
      <Figure name={t('남은 금액 (USDT)')} value={money(left)}>
        {ofLeft}
      </Figure>
    </Figures>
  )
}

function Hindrances({ summary, onFilter }: { summary: RefundSummary; onFilter: (filter: Filter) => void }) {
  const { isPaused, isWatching, unmarkedTransfers, payers } = summary
  return (
    <>
      {isPaused && (
        <Note tone="bad">{t('환불이 일시 중지되어 있습니다. 운영 설정(REFUNDS_PAUSED)을 확인하세요.')}</Note>
      )}
      {!isWatching && (
        <ActNote tone="bad" name={t('노드 상태 보기')} act={() => openTab('blockchain')}>
          {t('체인에서 나간 전송을 최근에 확인하지 못했습니다. 확인될 때까지 아무것도 보내지 않습니다.')}
        </ActNote>
      )}
      {(unmarkedTransfers > 0 || payers.held > 0) && (
        <ActNote name={t('보류 보기')} act={() => onFilter('held')}>
          {unmarkedTransfers > 0
            ? t(
                '운영자 지갑에서 직접 보낸 전송 {count}건이 환불이었는지 정해야 합니다. 정할 때까지 그 주소에는 보내지 않습니다.',
                { count: count(unmarkedTransfers) },
              )
            : t('주소 {count}개가 보류되어 있습니다. 하나씩 열어 보낼지 정하세요.', {
                count: count(payers.held),
              })}
        </ActNote>
      )}
    </>
  )
}

function Records() {
  const records = useResource(() => call(() => api['refund-history'].get()))
  return (
    <List
      label={t('이벤트별 환불 기록')}
      from={records}
      idOf={({ eventNumber }) => eventNumber}
      empty={t('환불한 이벤트가 없습니다.')}
      columns={[
        {
          name: t('이벤트'),
          place: 'lead',
          cell: ({ eventNumber }) => t('이벤트 {eventNumber}', { eventNumber }),
        },
        { name: t('시작 (한국)'), cell: ({ startedAt }) => inShortWords(startedAt) },
        {
          name: t('사유'),
          cell: ({ reason }) => (reason ? words.refundCauses[reason] : t('티켓 없는 결제')),
        },
        {
          name: t('완료'),
          isFigure: true,
          cell: ({ settled, payers }) => `${count(settled)} / ${count(payers)}`,
        },
        {
          name: t('금액 (USDT)'),
          place: 'end',
          isFigure: true,
          cell: ({ settledAmount, totalAmount }) =>
            `${usdtColumn(settledAmount)} / ${usdtColumn(totalAmount)}`,
        },
      ]}
    />
  )
}

/** A state, or lines too small to be sent; all but those by default. */
export type Filter = RefundRow['state'] | 'dust' | ''

type Props = {
  summary: RefundSummary
  filter: Filter
  onFilter: (filter: Filter) => void
  onChange: () => Promise<void>
}

function PayerList({ summary, filter, onFilter, onChange }: Props) {
  const event = useStore($scope)
  const run = useStore($run)
  const [typed, setTyped] = useState('')
  const search = /^0x[0-9a-f]{0,40}$/i.test(typed.trim()) ? typed.trim().toLowerCase() : ''
  const { owed, paid, due, held, payers, dust, events } = summary
  const rows = usePages<RefundRow>(
    (last) => {
      const named = { ...(last && { cursor: last.payer }), ...(event && { event: `${event}` }) }
      const query = { ...named, ...(filter && { state: filter }), ...(search && { search }) }
      return call(() => api.refunds.get({ query }))
    },
    { query: `${event} ${filter} ${search}`, turn: [owed, paid, due, held, payers.sent].join() },
  )
  return (
    <ListCard
      title={t('환불 대상')}
      reason={t('체인 기록으로만 만들어집니다. 주소마다 한 줄이며, 돈은 늘 결제한 주소로 갑니다.')}
      actions={<DownloadButton {...refundFile} label={t('목록 받기')} name={t('환불 대상 목록 받기')} />}
    >
      <Row>
        <Select
          label={t('이벤트로 보기')}
          value={`${event ?? ''}`}
          disabled={isRunning(run)}
          options={[
            ['', t('모든 이벤트')],
            ...events.map(
              ({ eventNumber }) => [`${eventNumber}`, t('이벤트 {eventNumber}', { eventNumber })] as const,
            ),
          ]}
          onChange={(value) => $scope.set(Number(value) || undefined)}
        />
        <Select
          label={t('상태로 보기')}
          value={filter}
          options={[
            ['', t('모든 상태')],
            ...stateNames,
            ['dust', t('소액 ({count}개)', { count: count(dust.payers) })],
          ]}
          onChange={onFilter}
        />
        <input
          className="input figure grow"
          type="search"
          aria-label={t('주소로 찾기')}
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Row>
      <List<RefundRow>
        label={t('환불 대상')}
        from={rows}
        idOf={({ payer }) => payer}
        columns={columns}
        detail={({ payer }, reload) => (
          <PayerFacts
            payer={payer}
            onChange={() => {
              void reload()
              void onChange()
            }}
          />
        )}
        empty={filter || search || event ? t('해당하는 환불이 없습니다.') : t('돌려줄 돈이 없습니다.')}
      />
    </ListCard>
  )
}

const stateNames = Object.entries(stateTexts).map(
  ([state, { word }]) => [state as RefundRow['state'], word] as const,
)

/** @internal */
export const columns: Column<RefundRow>[] = [
  { name: t('결제한 주소'), place: 'lead', cell: ({ payer }) => <Wallet address={payer} /> },
  { name: t('티켓'), isFigure: true, cell: ({ tickets }) => <span data-nothing>{count(tickets)}</span> },
  { name: t('환불액 (USDT)'), place: 'end', isFigure: true, cell: ({ owed }) => money(owed) },
  {
    name: t('남음 (USDT)'),
    isFigure: true,
    cell: ({ owed, due }) => (
      <span data-nothing={due === '0' || due === owed || undefined}>{money(due)}</span>
    ),
  },
  { name: t('상태'), cell: (row) => <State row={row} /> },
  {
    name: t('거래'),
    cell: ({ transactionHash }) =>
      transactionHash ? <HashText hash={transactionHash} /> : <span data-nothing>{t('없음')}</span>,
  },
]

function State({ row: { state, holds } }: { row: Pick<RefundRow, 'state' | 'holds'> }) {
  const { tone, icon, word } = stateTexts[state]
  return (
    <Badge tone={tone} icon={icon}>
      {state === 'held' ? [word, ...holds.map((hold) => words.refundHolds[hold].word)].join(', ') : word}
    </Badge>
  )
}
