import type { PublicDrawnTicket, PublicWinner } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { Address, HashText } from '../ui/address.tsx'
import { Fact, Group } from '../ui/card.tsx'
import { inWords } from '../ui/dates.ts'
import { count } from '../ui/numbers.ts'
import { DrawnTable, Reserves } from './DrawnTable.tsx'

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
        <Fact name={t('당첨 티켓')}>#{count(ticketNumber)}</Fact>
        <Fact name={t('거래')}>
          <HashText hash={transactionHash} head={14} />
        </Fact>
        <Fact name={t('발표 시각 (한국)')} isText>
          {inWords(announcedAt)}
        </Fact>
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
      <Reserves drawn={drawn} eventNumber={eventNumber} />
    </Group>
  )
}
