import type { ReactNode } from 'react'
import { centsOf } from '../../../../core/money.ts'
import { groupOf } from '../../../../core/refund/progress.ts'
import { Address } from '../frame/Address.tsx'
import { Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { reasonTexts } from '../frame/content.ts'
import { toStamp } from '../frame/dates.ts'
import { HashText, Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useResource } from '../frame/use-resource.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { useDuePrizes } from './due-prizes.ts'
import { MarkTransfer } from './MarkTransfer.tsx'
import styles from './PayerFacts.module.css'
import { RowActions } from './RowActions.tsx'
import { exactUsdt, kindTexts, stateOf, transferClass } from './texts.ts'
import type { PayerBooks } from './types.ts'

type Props = { payer: string; eventNumber: number; asked: ReadonlySet<number> }

/** The whole address, where the money is, each batch, and all that happened on the chain: in, out, and the register. */
export function PayerFacts({ payer, eventNumber, asked }: Props) {
  const books = useResource(
    () => call(() => api.refunds.payers({ address: payer }).get({ query: { event: `${eventNumber}` } })),
    { everyMs: 6_000 },
  )
  return (
    <div className={styles.facts}>
      <Address value={payer} label={t('주소 복사')} />
      <Loaded from={books} rows={2}>
        {(data) => (
          <>
            <dl className="summary">
              <Fact name={t('환불액 (USDT)')}>{exactUsdt(BigInt(data.owed))}</Fact>
              <Fact name={t('완료')}>{exactUsdt(BigInt(data.paid))}</Fact>
              <Fact name={t('진행 중')}>{exactUsdt(BigInt(data.inFlight))}</Fact>
              {data.held !== '0' && <Fact name={t('보류')}>{exactUsdt(BigInt(data.held))}</Fact>}
              <Fact name={t('남음')}>{exactUsdt(BigInt(data.left))}</Fact>
            </dl>
            {data.rows.map((row) => (
              <BatchRow key={row.id} row={row} isAsked={asked.has(row.id)} isOnly={data.rows.length === 1} />
            ))}
            <Payments payments={data.payments} />
            <Transfers payer={payer} transfers={data.transfers} onMark={books.reload} />
            {data.register.length > 0 && <Register payer={payer} entries={data.register} />}
          </>
        )}
      </Loaded>
    </div>
  )
}

type BatchProps = { row: PayerBooks['rows'][number]; isAsked: boolean; isOnly: boolean }

/** The payer's share of one batch, and what can be done about it. */
function BatchRow({ row, isAsked, isOnly }: BatchProps) {
  const { tone, icon, word, text } = stateOf(row, isAsked)
  return (
    <section className={styles.batch} aria-label={kindTexts[row.kind]}>
      {!isOnly && (
        <h3>
          {kindTexts[row.kind]} {usdtColumn(row.amount)} USDT{' '}
          <Badge tone={tone} icon={icon}>
            {word}
          </Badge>
        </h3>
      )}
      <p>{text}</p>
      {row.to !== row.payer && (
        <p className="hint">
          {rich('결제한 주소의 서명으로 {to}에 보냅니다.', {
            to: <span className="figure break">{row.to}</span>,
          })}
        </p>
      )}
      {row.nonceBound !== null && groupOf(row) === 'underWay' && (
        <p className="hint">
          {t('지갑의 논스 {nonceBound}까지 확정되어야 결과가 정해집니다.', {
            nonceBound: count(row.nonceBound),
          })}
        </p>
      )}
      {row.releasedAt && (
        <p className="hint">{t('보류 해제 {releasedAt} UTC', { releasedAt: toStamp(row.releasedAt) })}</p>
      )}
      <RowActions row={row} isAsked={isAsked} />
    </section>
  )
}

const Payments = ({ payments }: Pick<PayerBooks, 'payments'>) => (
  <Entries title={t('받은 결제')} empty={t('되돌려진 결제입니다.')}>
    {payments.map(({ transactionHash, units, ticketCount, reason, at, wallet, paidBy }) => (
      <li key={`${transactionHash} ${wallet}`}>
        <HashText hash={transactionHash} />
        <span className="quiet">
          {toStamp(at)} UTC,{' '}
          {ticketCount > 0
            ? t('티켓 {ticketCount}장', { ticketCount: count(ticketCount) })
            : (reasonTexts[reason ?? ''] ?? t('티켓 없음'))}
          {t(', 받은 지갑')} <Wallet address={wallet} />
          {paidBy && (
            <>
              {t(', 갚을 지갑')} <Wallet address={paidBy} />
            </>
          )}
        </span>
        <Sum units={units} />
      </li>
    ))}
  </Entries>
)

type TransfersProps = Pick<PayerBooks, 'transfers'> & { payer: string; onMark: () => Promise<void> }

const Transfers = ({ payer, transfers, onMark }: TransfersProps) => {
  const prizes = useDuePrizes()
  return (
    <Entries title={t('나간 전송')} empty={t('아직 없습니다.')}>
      {transfers.map((transfer) => {
        const { tone, word } = transferClass(transfer)
        return (
          <li key={`${transfer.transactionHash} ${transfer.position}`}>
            <HashText hash={transfer.transactionHash} />
            <span className="quiet">
              {t('{at} UTC, 블록 {blockNumber}, 보낸 지갑', {
                at: toStamp(transfer.at),
                blockNumber: count(transfer.blockNumber),
              })}{' '}
              <Wallet address={transfer.wallet} />
              <Receiver payer={payer} to={transfer.to} />
            </span>
            <Sum units={transfer.units} />
            <span className={styles.mark}>
              <Badge tone={tone}>{word}</Badge>
              {!transfer.viaRegister && (
                <MarkTransfer
                  transfer={transfer}
                  prize={prizes.get(transfer.to.toLowerCase())}
                  onMark={onMark}
                />
              )}
            </span>
          </li>
        )
      })}
    </Entries>
  )
}

type RegisterProps = { payer: string; entries: PayerBooks['register'] }

const Register = ({ payer, entries }: RegisterProps) => (
  <Entries title={t('환불 컨트랙트의 기록')} empty={t('아직 없습니다.')}>
    {entries.map(({ transactionHash, position, kind, wallet, to, total, units, at }) => (
      <li key={`${transactionHash} ${position}`}>
        <HashText hash={transactionHash} />
        <span className="quiet">
          {toStamp(at)} UTC, {kind === 'paid' ? t('지급') : t('갚은 것으로 기록')}
          {rich(', 지갑 {wallet}, 합계 {total}', {
            wallet: <Wallet address={wallet} />,
            total: exactUsdt(BigInt(total)),
          })}
          <Receiver payer={payer} to={to} />
        </span>
        <Sum units={units} />
      </li>
    ))}
  </Entries>
)

/** Who got it, where it was not the payer: the register's word settles a refund wherever the money went. */
const Receiver = ({ payer, to }: { payer: string; to: string | null }) =>
  to && to.toLowerCase() !== payer.toLowerCase() ? (
    <>
      {t(', 받은 주소')} <Wallet address={to} />
    </>
  ) : null

const Sum = ({ units }: { units: string }) => (
  <b className="figure">{usdtColumn(Number(centsOf(BigInt(units))))}</b>
)

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
