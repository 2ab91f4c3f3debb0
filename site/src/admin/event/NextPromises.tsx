import { t } from '../language/t.ts'
import type { NextTerms } from '../session/types.ts'
import { Address, CopyButton } from '../ui/address.tsx'
import handStyles from '../ui/ByHand.module.css'
import { inWords, spanText, toField } from '../ui/dates.ts'
import { count } from '../ui/numbers.ts'
import { entropyTexts } from './EntropyChoice.tsx'
import styles from './NextPromises.module.css'
import { prizesLine } from './prize-draft.ts'

type Promises = NextTerms['next']

const date = (iso: string | null) => (iso ? `${toField(iso)} UTC` : t('설정 안 됨'))
const tickets = (number: number | null) =>
  number === null ? t('제한 없음') : t('{number}장', { number: count(number) })
const rows: [string, (terms: Promises) => string][] = [
  [t('추첨 일시'), ({ drawDate }) => date(drawDate)],
  [t('판매 종료'), ({ saleEndDate }) => date(saleEndDate)],
  [t('최소 참여 인원'), ({ minTicketsForDraw }) => tickets(minTicketsForDraw)],
  [t('추첨 시작'), ({ autoDraw }) => (autoDraw ? t('추첨 시각에 자동으로') : t('관리자가 직접'))],
  [t('추첨 난수'), ({ entropy }) => entropyTexts[entropy].name],
  [t('당첨자 수'), ({ winners }) => t('{winners}명', { winners })],
  [t('경품'), ({ prizes }) => prizesLine(prizes)],
  [t('경품 수령 기한'), ({ claimDays }) => t('{claimDays}일', { claimDays })],
]
const ofServer: typeof rows = [
  [t('티켓 가격'), ({ ticketPrice }) => `${ticketPrice} USDT`],
  [t('판매 종료부터 추첨까지'), ({ saleLeadSeconds }) => spanText(saleLeadSeconds)],
  [t('체인'), ({ chainId }) => `${chainId}`],
  [t('토큰'), ({ tokenAddress }) => tokenAddress],
  [t('운영자 지갑'), ({ operatorWallet }) => operatorWallet ?? t('설정 안 됨')],
]

/** What the next event will promise; where it differs, the open event's value stands above it. */
export function NextPromises({ terms }: { terms: NextTerms }) {
  const { current, next, eventNumber, savedAt } = terms
  return (
    <div className={styles.promises}>
      <h3>{t('이벤트 {eventNumber}의 조건', { eventNumber })}</h3>
      <p className="hint">
        {savedAt
          ? t('{savedAt}에 저장한 초안입니다.', { savedAt: inWords(savedAt) })
          : t('저장한 초안이 없습니다.')}{' '}
        {t('줄이 그어진 값은 지금 이벤트 {eventNumber}의 조건입니다.', { eventNumber: eventNumber - 1 })}
      </p>
      <dl className="summary">
        {rows.map((row) => (
          <Row key={row[0]} row={row} current={current} next={next} />
        ))}
      </dl>
      <p className="hint">{t('다음은 서버 설정을 따르며 초안으로 바꿀 수 없습니다.')}</p>
      <dl className="summary">
        {ofServer.map((row) => (
          <Row key={row[0]} row={row} current={current} next={next} />
        ))}
      </dl>
      <details>
        <summary>{t('조건 문장')}</summary>
        <div className={handStyles.steps}>
          <p className="hint">
            {t(
              '지금 시작한다면 구매자와 체인에 남을 문장입니다. 판매 시작 시각은 시작하는 순간에 정해집니다.',
            )}
          </p>
          <div className="address address-row">
            <span>{terms.terms.trim()}</span>
            <CopyButton text={terms.terms} label={t('조건 문장 복사')} />
          </div>
        </div>
      </details>
    </div>
  )
}

type RowProps = { row: (typeof rows)[number]; current: Promises; next: Promises }

function Row({ row: [name, shown], current, next }: RowProps) {
  const [before, after] = [shown(current), shown(next)]
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {before !== after && <s className={styles.before}>{before}</s>}
        {after.startsWith('0x') ? (
          <Address value={after} label={t('{name} 복사', { name })} withCopy={false} />
        ) : (
          after
        )}
      </dd>
    </div>
  )
}
