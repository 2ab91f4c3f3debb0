import { atom } from 'nanostores'
import type { FormEvent } from 'react'
import type { Hash } from 'viem'
import type { PurchaseReport } from '../../../core/live/public.ts'
import { shorten, usdt } from '../../../core/money.ts'
import { claim, follow } from '../buy/follow.ts'
import { RefundLine } from '../buy/RefundLine.tsx'
import { badgeOf, numbersText, reasonText } from '../buy/standing.ts'
import { ApiError } from '../shell/api.ts'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Figure } from '../shell/Layout.tsx'
import { LineField } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import styles from './recent.module.css'

export const FindPayment = island(function FindPayment() {
  const lookup = useShown($lookup)
  return (
    <section className={`stack ${styles.find}`} aria-labelledby="find-title">
      <h2 id="find-title" className="h3-display">
        {t.find.title}
      </h2>
      <form className="stack gap-8" onSubmit={submit} noValidate>
        <LineField
          {...{ id: 'find-hash', name: 'hash', label: t.find.label, hint: t.find.hint, placeholder: '0x…' }}
          trouble={lookup?.state === 'invalid' ? t.find.invalid : undefined}
          autoCapitalize="none"
        >
          <button type="submit" className="button">
            {t.find.button}
          </button>
        </LineField>
      </form>
      <div role="status">{lookup && <Answer lookup={lookup} />}</div>
    </section>
  )
})

function submit(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault()
  void lookUp(String(new FormData(event.currentTarget).get('hash') ?? ''))
}

function Answer({ lookup }: { lookup: Lookup }) {
  if (lookup.state === 'invalid') return null
  if (lookup.state === 'refused') return <p data-answer>{lookup.text}</p>
  const { report } = lookup
  if (!report || report.payments.length === 0) return <Whole {...lookup} />
  return (
    <ul className="rows" data-answer>
      {report.payments.map((payment) => (
        <Found key={payment.walletAddress} payment={payment} />
      ))}
    </ul>
  )
}

function Whole({ report, isTroubled }: Extract<Lookup, { state: 'asking' }>) {
  const [tone, word] = report ? badgeOf(report) : ['wait', t.badges.asking]
  const text = report?.reason
    ? reasonText(report.reason).text
    : report?.status === 'not_found'
      ? t.find.unknown
      : isTroubled
        ? t.find.troubled
        : t.find.looking
  return (
    <div data-answer>
      <span className={`badge ${tone}`}>{word}</span>
      <p>{text}</p>
    </div>
  )
}

function Found({ payment }: { payment: PurchaseReport['payments'][number] }) {
  const { walletAddress, status, reason, ticketNumber, ticketCount, amount, refund } = payment
  const [tone, word] = badgeOf(payment)
  const waitsForNode = useLive().config?.waitsForNode
  return (
    <li>
      <span className={`badge ${tone}`}>{word}</span>{' '}
      <Figure>
        {shorten(walletAddress, 6, 4)}, {usdt(amount)} USDT
      </Figure>
      <p>
        {ticketNumber !== null
          ? fill(ticketCount === 1 ? t.find.counted.one : t.find.counted.other, {
              numbers: numbersText(ticketNumber, ticketCount),
            })
          : reason
            ? reasonText(reason).text
            : status === 'confirming'
              ? waitsForNode
                ? `${t.purchase.waitsForNode}. ${t.purchase.waitsForNodeText}`
                : t.find.confirming
              : t.find.verified}
      </p>
      <RefundLine refund={refund} payer={walletAddress} />
    </li>
  )
}

type Lookup =
  | { state: 'invalid' }
  | { state: 'asking'; report: PurchaseReport | undefined; isTroubled: boolean }
  | { state: 'refused'; text: string }

/** @internal */
export const $lookup = atom<Lookup | undefined>()

let asked = 0

/** Posts any transaction as a claim and follows it: so the server learns of a payment sent by hand. */
async function lookUp(text: string): Promise<void> {
  const turn = ++asked
  const isMine = () => turn === asked
  const hash = text.trim().toLowerCase() as Hash
  if (!/^0x[0-9a-f]{64}$/.test(hash)) return $lookup.set({ state: 'invalid' })
  const show = (next: Lookup) => isMine() && $lookup.set(next)
  let report: PurchaseReport | undefined
  const trouble = (isTroubled: boolean) => show({ state: 'asking', report, isTroubled })
  trouble(false)
  try {
    await claim({ transactionHash: hash }, trouble)
    await follow(hash, {
      onReport: (next) => {
        report = next
        trouble(false)
      },
      onTrouble: trouble,
      isOff: () => !isMine(),
    })
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    show({ state: 'refused', text: detail ?? t.find.refused })
  }
}
