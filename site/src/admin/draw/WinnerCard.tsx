import type { PublicDrawnTicket, PublicWinner } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { Address } from '../ui/Address.tsx'
import { inWords } from '../ui/dates.ts'
import { Group } from '../ui/Group.tsx'
import { HashText } from '../ui/HashText.tsx'
import { count } from '../ui/numbers.ts'
import { DrawnTable, Reserves } from './DrawnTable.tsx'
import styles from './WinnerCard.module.css'

type Props = { winner: PublicWinner; drawn: readonly PublicDrawnTicket[] }

/** The first winner large; where several were drawn, all of them in order, and the reserves folded. */
export function WinnerCard({ winner, drawn }: Props) {
  const { eventNumber, walletAddress, ticketNumber, transactionHash, randomNumber, announcedAt } = winner
  const winners = drawn.filter(({ kind }) => kind === 'winner')
  return (
    <Group
      title={t('이벤트 {eventNumber} 당첨자', { eventNumber })}
      reason={t('공개 페이지에 발표되어 있습니다.')}
    >
      <Address value={walletAddress} label={t('당첨 지갑 복사')} />
      <dl className="summary">
        <div>
          <dt>{t('당첨 티켓')}</dt>
          <dd>#{count(ticketNumber)}</dd>
        </div>
        <div>
          <dt>{t('거래')}</dt>
          <dd>
            <HashText hash={transactionHash} head={14} />
          </dd>
        </div>
        <div>
          <dt>{t('발표 시각 (한국)')}</dt>
          <dd className="text">{inWords(announcedAt)}</dd>
        </div>
      </dl>
      {winners.length > 1 && (
        <DrawnTable label={t('이벤트 {eventNumber} 당첨자', { eventNumber })} drawn={winners} />
      )}
      <div>
        <p className="field-label">{t('난수')}</p>
        <p className={`figure break ${styles.small}`}>{randomNumber}</p>
      </div>
      <Reserves drawn={drawn} eventNumber={eventNumber} />
    </Group>
  )
}
