import { shorten } from '../../../../core/format.ts'
import { DrawnTable } from '../draw/DrawnTable.tsx'
import { Empty, Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { DownloadButton } from '../frame/DownloadRow.tsx'
import { inKorea, toField } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { HashText, Wallet } from '../frame/HashText.tsx'
import { count, usdt } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import type { DrawRecord } from '../frame/types.ts'
import { useResource } from '../frame/use-resource.ts'
import styles from './HistoryTab.module.css'

export function HistoryTab() {
  const records = useResource(() => call(() => api.raffle.history.get()), {
    everyMs: 10_000,
  })
  return (
    <ListCard
      title="추첨 기록"
      reason="최근 이벤트부터 보여줍니다. 기록은 지울 수 없습니다."
      actions={
        <DownloadButton
          method="POST"
          path="/api/admin/export/history"
          fallbackName="draw-history.xlsx"
          failure="추첨 기록 내보내기에 실패했습니다"
          label="엑셀 받기"
          name="추첨 기록 엑셀 받기"
        />
      }
    >
      <div className="list-body">
        <Loaded from={records}>
          {(data) =>
            data.length === 0 ? (
              <Empty title="아직 추첨 기록이 없습니다." />
            ) : (
              <ul className={`rows ${styles.records}`}>
                {data.map((record) => (
                  <RecordRow key={record.id} record={record} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </ListCard>
  )
}

function RecordRow({ record }: { record: DrawRecord }) {
  const { eventNumber, drawDate, ticketsSold, minTicketsForDraw, ticketPrice, winnerWallet } = record
  const { winnerTransactionHash, winningTicket, randomNumber, drawnAt, ledgerSha256 } = record
  const { entropy, beaconRound, winners, drawn } = record
  const [tone, word] = stateOf(record)
  return (
    <li>
      <header>
        <h3>이벤트 {eventNumber}</h3>
        <Badge tone={tone}>{word}</Badge>
        <DownloadButton
          method="GET"
          path={`/api/admin/export/excel/event/${eventNumber}`}
          fallbackName={`event-${eventNumber}.xlsx`}
          failure="이벤트 엑셀 다운로드에 실패했습니다"
          label="결제 엑셀"
          name={`이벤트 ${eventNumber} 결제 엑셀 받기`}
          size="compact"
        />
      </header>
      <dl>
        <Fact name="추첨 일시 (UTC)">
          {drawDate ? <span className="figure">{toField(drawDate)}</span> : '설정 안 됨'}
        </Fact>
        <Fact name="판매">
          {count(ticketsSold)}장 <span className="hint">/ 최소 {count(minTicketsForDraw)}장</span>
        </Fact>
        <Fact name="수익 (USDT)">
          <span className="figure">{usdt(Math.round(ticketsSold * ticketPrice * 100))}</span>
        </Fact>
        <Fact name="당첨 티켓">
          {winningTicket === null ? '없음' : <span className="figure">#{count(winningTicket)}</span>}
        </Fact>
        <Fact name="당첨 지갑">{winnerWallet ? <Wallet address={winnerWallet} /> : '없음'}</Fact>
        <Fact name="당첨 거래">
          {winnerTransactionHash ? <HashText hash={winnerTransactionHash} head={8} /> : '없음'}
        </Fact>
        {drawnAt && <Fact name="추첨 시각 (한국)">{inKorea(drawnAt)}</Fact>}
        {randomNumber && (
          <Fact name="난수">
            <span className="figure" title={randomNumber}>
              {shorten(randomNumber, 12, 8)}
            </span>
          </Fact>
        )}
        {entropy === 'blocks+drand' && (
          <Fact name="추첨 난수">
            블록 해시와 drand{beaconRound !== null && <span className="figure"> {count(beaconRound)}</span>}
          </Fact>
        )}
        {ledgerSha256 && (
          <Fact name="명단 지문">
            <span className="figure" title={ledgerSha256}>
              {shorten(ledgerSha256.replace(/^0x/, ''), 12, 4)}
            </span>
          </Fact>
        )}
      </dl>
      {winners > 1 && drawn.length > 0 && (
        <details>
          <summary>당첨자와 예비 {drawn.length}명</summary>
          <DrawnTable label={`이벤트 ${eventNumber} 당첨자와 예비`} drawn={drawn} />
        </details>
      )}
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function stateOf(record: DrawRecord): ['ok' | 'wait' | 'bad' | 'plain', string] {
  if (record.isRefundMode) return ['bad', record.isActive ? '환불 진행 중' : '환불']
  if (record.winnerCleared) return ['wait', '발표 지워짐']
  if (record.winnerWallet) return ['ok', record.isActive ? '당첨자 발표됨' : '완료']
  return record.isActive ? ['wait', '진행 중'] : ['plain', '완료']
}
