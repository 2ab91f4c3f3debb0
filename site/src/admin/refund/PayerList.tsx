import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { HashText, Wallet } from '../ui/address.tsx'
import { Body, ListCard } from '../ui/card.tsx'
import { DownloadButton } from '../ui/download.tsx'
import { count } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { Badge } from '../ui/Note.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { $run, $scope, isRunning, type RefundRow, type RefundSummary } from './desk.ts'
import { PayerFacts } from './PayerFacts.tsx'
import { holdTexts, money, stateTexts } from './texts.ts'

/** A state, or lines too small to be sent; all but those by default. */
export type Filter = RefundRow['state'] | 'dust' | ''

type Props = {
  summary: RefundSummary
  filter: Filter
  onFilter: (filter: Filter) => void
  onChange: () => Promise<void>
}

/** One line a payer, over all events. */
export function PayerList({ summary, filter, onFilter, onChange }: Props) {
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
      actions={
        <DownloadButton
          method="POST"
          path="/api/admin/export/refund"
          fallbackName="refund.xlsx"
          failure={t('환불 대상 내보내기에 실패했습니다')}
          label={t('목록 받기')}
          name={t('환불 대상 목록 받기')}
        />
      }
    >
      <Body>
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
      </Body>
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
      {state === 'held' ? [word, ...holds.map((hold) => holdTexts[hold][0])].join(', ') : word}
    </Badge>
  )
}
