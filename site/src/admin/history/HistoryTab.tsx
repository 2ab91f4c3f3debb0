import { shorten } from '../../../../core/money.ts'
import { DrawnTable } from '../draw/DrawTab.tsx'
import { eventFile, historyFile } from '../exports/DataTab.tsx'
import { t } from '../language/t.ts'
import { api, call, type DrawRecord } from '../session/session.ts'
import { HashText, Wallet } from '../ui/address.tsx'
import { Badge, Fact, ListCard, TextFact } from '../ui/card.tsx'
import { DownloadButton } from '../ui/download.tsx'
import { count, inWords, toField, usdt } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'

export function HistoryTab() {
  const records = useResource(() => call(() => api.raffle.history.get()), { everyMs: 10_000 })
  return (
    <ListCard
      title={t('추첨 기록')}
      reason={t('최근 이벤트부터 보여줍니다. 기록은 지울 수 없습니다.')}
      actions={<DownloadButton {...historyFile} label={t('엑셀 받기')} name={t('추첨 기록 엑셀 받기')} />}
    >
      <List<DrawRecord>
        label={t('추첨 기록')}
        from={records}
        idOf={({ id }) => id}
        columns={columns}
        detail={(record) => <Record record={record} />}
        empty={t('아직 추첨 기록이 없습니다.')}
      />
    </ListCard>
  )
}

const columns: Column<DrawRecord>[] = [
  { name: t('이벤트'), place: 'lead', cell: ({ eventNumber }) => t('이벤트 {eventNumber}', { eventNumber }) },
  {
    name: t('추첨 일시 (UTC)'),
    cell: ({ drawDate }) =>
      drawDate ? <span className="figure">{toField(drawDate)}</span> : t('설정 안 됨'),
  },
  {
    name: t('판매'),
    isFigure: true,
    cell: ({ ticketsSold, minTicketsForDraw }) => `${count(ticketsSold)} / ${count(minTicketsForDraw)}`,
  },
  {
    name: t('당첨 지갑'),
    cell: ({ winnerWallet }) => (winnerWallet ? <Wallet address={winnerWallet} /> : t('없음')),
  },
  {
    name: t('상태'),
    place: 'end',
    cell: (record) => {
      const [tone, word] = stateOf(record)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
]

function Record({ record }: { record: DrawRecord }) {
  const { eventNumber, ticketsSold, minTicketsForDraw, ticketPrice, winnerTransactionHash } = record
  const { winningTicket, randomNumber, drawnAt, ledgerSha256, entropy, beaconRound, winners, drawn } = record
  return (
    <>
      <dl className="summary">
        <Fact name={t('판매')}>
          {t('{ticketsSold}장', { ticketsSold: count(ticketsSold) })}{' '}
          {t('/ 최소 {minTicketsForDraw}장', { minTicketsForDraw: count(minTicketsForDraw) })}
        </Fact>
        <Fact name={record.isRefundMode ? t('환불') : t('수익 (USDT)')}>
          {usdt(Math.round(ticketsSold * ticketPrice * 100))}
        </Fact>
        <Fact name={t('당첨 티켓')}>{winningTicket === null ? t('없음') : `#${count(winningTicket)}`}</Fact>
        <Fact name={t('당첨 거래')}>
          {winnerTransactionHash ? <HashText hash={winnerTransactionHash} head={8} /> : t('없음')}
        </Fact>
        {drawnAt && <TextFact name={t('추첨 시각 (한국)')}>{inWords(drawnAt)}</TextFact>}
        {randomNumber && (
          <Fact name={t('난수')}>
            <span title={randomNumber}>{shorten(randomNumber, 12, 8)}</span>
          </Fact>
        )}
        {entropy === 'blocks+drand' && (
          <Fact name={t('추첨 난수')}>
            {t('블록 해시와 drand')} {beaconRound !== null && count(beaconRound)}
          </Fact>
        )}
        {ledgerSha256 && (
          <Fact name={t('명단 해시')}>
            <span title={ledgerSha256}>{shorten(ledgerSha256.replace(/^0x/, ''), 12, 4)}</span>
          </Fact>
        )}
      </dl>
      {winners > 1 && drawn.length > 0 && (
        <details>
          <summary>{t('당첨자와 예비 {count}명', { count: drawn.length })}</summary>
          <DrawnTable label={t('이벤트 {eventNumber} 당첨자와 예비', { eventNumber })} drawn={drawn} />
        </details>
      )}
      <DownloadButton
        {...eventFile(eventNumber)}
        label={t('결제 엑셀')}
        name={t('이벤트 {eventNumber} 결제 엑셀 받기', { eventNumber })}
        size="compact"
      />
    </>
  )
}

function stateOf(record: DrawRecord): ['ok' | 'wait' | 'bad' | 'plain', string] {
  if (record.isRefundMode) return ['bad', record.isActive ? t('환불 진행 중') : t('환불')]
  if (record.winnerCleared) return ['wait', t('발표 지워짐')]
  if (record.winnerWallet) return ['ok', record.isActive ? t('당첨자 발표됨') : t('완료')]
  return record.isActive ? ['wait', t('진행 중')] : ['plain', t('완료')]
}
