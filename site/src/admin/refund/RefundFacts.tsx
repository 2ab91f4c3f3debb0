import type { ReactNode } from 'react'
import { unitsText } from '../../../../core/money.ts'
import { Address } from '../frame/Address.tsx'
import { Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { reasonTexts } from '../frame/content.ts'
import { toStamp } from '../frame/dates.ts'
import { HashText } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useResource } from '../frame/use-resource.ts'
import styles from './RefundFacts.module.css'
import { RowActions } from './RowActions.tsx'
import { stateOf } from './texts.ts'
import type { DeskRow } from './types.ts'

/** The whole address, and both sides on the chain: payments in, transfers out. */
export function RefundFactsOf({ row, isAsked }: { row: DeskRow; isAsked: boolean }) {
  const facts = useResource(() => call(() => api.refunds({ id: row.id }).get()), { everyMs: 6_000 })
  const isPart = row.state !== 'settled' && row.dueUnits !== row.units
  return (
    <div className={styles.facts}>
      <p>{stateOf(row, isAsked).text}</p>
      <Address value={row.to} label="주소 복사" />
      {row.to !== row.payer && (
        <p className="hint">
          결제한 주소 <span className="figure break">{row.payer}</span>의 서명으로 바뀐 주소입니다.
        </p>
      )}
      <dl className="summary">
        <Fact name="환불액 (USDT)">{unitsText(BigInt(row.units))}</Fact>
        {isPart && <Fact name="아직 보낼 금액">{unitsText(BigInt(row.dueUnits))}</Fact>}
        {row.nonceBound !== null && row.state !== 'settled' && (
          <Fact name="확정되어야 하는 논스">{count(row.nonceBound)}까지</Fact>
        )}
      </dl>
      <Loaded from={facts} rows={2}>
        {({ payments, transfers, releasedAt }) => (
          <>
            <Entries title="받은 결제" empty="되돌려진 결제입니다.">
              {payments.map(({ transactionHash, amount, ticketCount, reason, at }) => (
                <li key={transactionHash}>
                  <HashText hash={transactionHash} />
                  <span className="quiet">
                    {toStamp(at)} UTC,{' '}
                    {ticketCount > 0
                      ? `티켓 ${count(ticketCount)}장`
                      : (reasonTexts[reason ?? ''] ?? '티켓 없음')}
                  </span>
                  <b className="figure">{usdtColumn(amount)}</b>
                </li>
              ))}
            </Entries>
            <Entries title="확정된 환불 전송" empty="아직 없습니다.">
              {transfers.map(({ transactionHash, amount, blockNumber, at }) => (
                <li key={`${transactionHash} ${amount}`}>
                  <HashText hash={transactionHash} />
                  <span className="quiet">
                    {toStamp(at)} UTC, 블록 {count(blockNumber)}
                  </span>
                  <b className="figure">{usdtColumn(amount)}</b>
                </li>
              ))}
            </Entries>
            {releasedAt && <p className="hint">보류 해제 {toStamp(releasedAt)} UTC</p>}
          </>
        )}
      </Loaded>
      <RowActions row={row} isAsked={isAsked} />
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Entries = ({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) => (
  <section className={styles.entries} aria-label={title}>
    <h3>{title}</h3>
    {children.length > 0 ? <ul>{children}</ul> : <p className="quiet">{empty}</p>}
  </section>
)
