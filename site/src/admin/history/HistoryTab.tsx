import { shorten } from '../../../../core/money.ts'
import { DrawnTable } from '../draw/DrawnTable.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { DrawRecord } from '../session/types.ts'
import { Empty, Loaded } from '../ui/AsyncView.tsx'
import { Badge } from '../ui/Badge.tsx'
import { DownloadButton } from '../ui/DownloadRow.tsx'
import { inWords, toField } from '../ui/dates.ts'
import { ListCard } from '../ui/Group.tsx'
import { HashText, Wallet } from '../ui/HashText.tsx'
import listStyles from '../ui/List.module.css'
import { count, usdt } from '../ui/numbers.ts'
import { useResource } from '../ui/use-resource.ts'
import styles from './HistoryTab.module.css'

export function HistoryTab() {
  const records = useResource(() => call(() => api.raffle.history.get()), {
    everyMs: 10_000,
  })
  return (
    <ListCard
      title={t('추첨 기록')}
      reason={t('최근 이벤트부터 보여줍니다. 기록은 지울 수 없습니다.')}
      actions={
        <DownloadButton
          method="POST"
          path="/api/admin/export/history"
          fallbackName="draw-history.xlsx"
          failure={t('추첨 기록 내보내기에 실패했습니다')}
          label={t('엑셀 받기')}
          name={t('추첨 기록 엑셀 받기')}
        />
      }
    >
      <div className={listStyles.body}>
        <Loaded from={records}>
          {(data) =>
            data.length === 0 ? (
              <Empty title={t('아직 추첨 기록이 없습니다.')} />
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
        <h3>{t('이벤트 {eventNumber}', { eventNumber })}</h3>
        <Badge tone={tone}>{word}</Badge>
        <DownloadButton
          method="GET"
          path={`/api/admin/export/excel/event/${eventNumber}`}
          fallbackName={`event-${eventNumber}.xlsx`}
          failure={t('이벤트 엑셀 다운로드에 실패했습니다')}
          label={t('결제 엑셀')}
          name={t('이벤트 {eventNumber} 결제 엑셀 받기', { eventNumber })}
          size="compact"
        />
      </header>
      <dl>
        <Fact name={t('추첨 일시 (UTC)')}>
          {drawDate ? <span className="figure">{toField(drawDate)}</span> : t('설정 안 됨')}
        </Fact>
        <Fact name={t('판매')}>
          {t('{ticketsSold}장', { ticketsSold: count(ticketsSold) })}{' '}
          <span className="hint">
            {t('/ 최소 {minTicketsForDraw}장', { minTicketsForDraw: count(minTicketsForDraw) })}
          </span>
        </Fact>
        <Fact name={record.isRefundMode ? t('환불') : t('수익 (USDT)')}>
          <span className="figure">{usdt(Math.round(ticketsSold * ticketPrice * 100))}</span>
        </Fact>
        <Fact name={t('당첨 티켓')}>
          {winningTicket === null ? t('없음') : <span className="figure">#{count(winningTicket)}</span>}
        </Fact>
        <Fact name={t('당첨 지갑')}>{winnerWallet ? <Wallet address={winnerWallet} /> : t('없음')}</Fact>
        <Fact name={t('당첨 거래')}>
          {winnerTransactionHash ? <HashText hash={winnerTransactionHash} head={8} /> : t('없음')}
        </Fact>
        {drawnAt && <Fact name={t('추첨 시각 (한국)')}>{inWords(drawnAt)}</Fact>}
        {randomNumber && (
          <Fact name={t('난수')}>
            <span className="figure" title={randomNumber}>
              {shorten(randomNumber, 12, 8)}
            </span>
          </Fact>
        )}
        {entropy === 'blocks+drand' && (
          <Fact name={t('추첨 난수')}>
            {t('블록 해시와 drand')}
            {beaconRound !== null && <span className="figure"> {count(beaconRound)}</span>}
          </Fact>
        )}
        {ledgerSha256 && (
          <Fact name={t('명단 지문')}>
            <span className="figure" title={ledgerSha256}>
              {shorten(ledgerSha256.replace(/^0x/, ''), 12, 4)}
            </span>
          </Fact>
        )}
      </dl>
      {winners > 1 && drawn.length > 0 && (
        <details>
          <summary>{t('당첨자와 예비 {count}명', { count: drawn.length })}</summary>
          <DrawnTable label={t('이벤트 {eventNumber} 당첨자와 예비', { eventNumber })} drawn={drawn} />
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
  if (record.isRefundMode) return ['bad', record.isActive ? t('환불 진행 중') : t('환불')]
  if (record.winnerCleared) return ['wait', t('발표 지워짐')]
  if (record.winnerWallet) return ['ok', record.isActive ? t('당첨자 발표됨') : t('완료')]
  return record.isActive ? ['wait', t('진행 중')] : ['plain', t('완료')]
}
