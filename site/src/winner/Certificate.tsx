import printerIcon from 'lucide-static/icons/printer.svg?raw'
import { type ReactNode, useEffect, useState } from 'react'
import { type Proof, type ProofAnchor, parseProof } from '../../../core/draw/proof.ts'
import { parseTerms, type TermsField } from '../../../core/event/terms.ts'
import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { numbersText } from '../buy/standing.ts'
import { brandName } from '../live/brand.ts'
import { dateParts, formatDate } from '../shell/dates.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Muted, Row, Stack } from '../shell/Layout.tsx'
import { Trans } from '../shell/Parts.tsx'
import { TermsFold } from '../shell/TermsFold.tsx'
import { count, fill, plural, t } from '../texts/index.ts'
import styles from './Certificate.module.css'
import { $check, $checkedEvent, loadProof } from './check.ts'
import { useEventPrizes } from './event-prizes.ts'
import { afterDraw } from './PrizeRecord.tsx'
import { kindOf, standingOf } from './prizes.ts'
import { Seal } from './WinnerTicket.tsx'

/** More winners than these are printed on A4, and a beacon, which has lines of its own. */
const mostOnA5 = ({ beacon }: Proof): number => (beacon ? 0 : 3)

export const Certificate = island(function Certificate() {
  const eventNumber = useShown($checkedEvent)
  const check = useShown($check)
  const proof = useProof(eventNumber)
  if (!proof || check?.lines.some(({ state }) => state === 'failed'))
    return <p className="hint">{t.certificate.none}</p>

  const print = () => {
    const { dataset } = document.documentElement
    dataset.certificate = proof.winners.length > mostOnA5(proof) ? 'long' : ''
    window.addEventListener('afterprint', () => delete dataset.certificate, { once: true })
    window.print()
  }
  return (
    <Stack gap={16}>
      <Muted>{t.certificate.lead}</Muted>
      <Sheet proof={proof} />
      <Row>
        <button type="button" className="button edged small" onClick={print}>
          <Icon svg={printerIcon} /> {t.certificate.print}
        </button>
      </Row>
      <TermsFold line={proof.terms} title={t.certificate.terms} />
    </Stack>
  )
})

function Sheet({ proof }: { proof: Proof }) {
  const { winningTicket, ticketsSold } = proof
  // The parser of the proof has read the terms line before.
  const terms = parseTerms(proof.terms) as Record<TermsField, string>
  const eventNumber = Number(terms.eventNumber)
  const drawDate = new Date(Number(terms.drawDate) * 1_000).toISOString()
  const [first, ...others] = certified(proof, useDrawn(eventNumber, winningTicket))
  const found = useEventPrizes(eventNumber)
  const prizes = Array.isArray(found) ? found : []
  const { blocks, beacon, blockSeed, randomNumber, list, termsSha256, commitment } = proof
  const { anchors, formerWallets } = proof
  const range = { first: `${blocks[0]?.number}`, last: `${blocks.at(-1)?.number}` }
  const facts: (FactRow | false | null)[] = [
    [t.certificate.drawDate, formatDate(drawDate), true],
    [t.certificate.blocks, fill(t.certificate.blockRange, range)],
    [t.certificate.producers, producersOf(proof.miners), true],
    [
      t.beacon.source,
      beacon ? fill(t.beacon.blocksAndRound, { round: beacon.round }) : t.beacon.blocks,
      true,
    ],
    beacon && [t.certificate.blockSeed, blockSeed],
    beacon && [fill(t.certificate.signature, { round: count(beacon.round) }), beacon.signature.slice(2)],
    [t.certificate.random, randomNumber],
    [t.certificate.ledger, list.sha256.slice(2)],
    [t.certificate.termsHash, termsSha256.slice(2)],
    [t.certificate.termsAnchor, anchorText(anchors.terms), !anchors.terms],
    [t.certificate.commitment, commitment.slice(2)],
    [t.certificate.listAnchor, anchorText(anchors.list), !anchors.list],
    formerWallets.length > 0 && [
      t.certificate.formerWallets,
      formerWallets.map((address) => shorten(address, 6, 4)).join(', '),
    ],
    // Opens this page at the check of this event, also after later draws.
    [t.certificate.checkAt, `${location.origin}/?event=${eventNumber}#winner`],
  ]
  return (
    <article
      className={styles.certificate}
      aria-label={fill(t.certificate.name, { event: `${eventNumber}` })}
    >
      <div className={styles.frame}>
        <p className="label">
          {brandName()} · {t.certificate.head}
        </p>
        <h3>{fill(t.certificate.event, { event: `${eventNumber}` })}</h3>
        <p>
          <Trans text={t.certificate.held} ticket={<b>#{winningTicket}</b>} count={count(ticketsSold)} />
        </p>
        <p className="figure" translate="no">
          <Whole address={first?.wallet ?? ''} />
        </p>
        <dl>
          {others.length > 0 && (
            <Fact name={t.certificate.others} isWide>
              <ol className={`stack gap-4 size-13 ${styles.others}`}>
                {others.map(({ place, tickets, wallet }) => (
                  <li key={place}>
                    <span>{place}.</span> <b>{tickets}</b> <Whole address={wallet} />
                  </li>
                ))}
              </ol>
            </Fact>
          )}
          {prizes.length > 0 && (
            <Fact name={plural(t.prize.title, prizes.length)} isProse>
              <ol className={`stack gap-4 size-13 ${styles.others}`} data-certified-prizes>
                {prizes.map((prize) => (
                  <li key={prize.place}>
                    {prizes.length > 1 && <span>{prize.place}. </span>}
                    {certifiedPrize(prize)}
                  </li>
                ))}
              </ol>
            </Fact>
          )}
          {facts.map((fact) => {
            if (!fact) return null
            const [name, value, isProse] = fact
            return (
              <Fact key={name} name={name} isProse={isProse}>
                {value}
              </Fact>
            )
          })}
        </dl>
        <Seal eventNumber={eventNumber} date={drawDate} />
      </div>
    </article>
  )
}

/** What the page was told of the event's winners; the history has the others only where there are some. */
function useDrawn(eventNumber: number, winningTicket: number): PublicDrawnTicket[] {
  const past = useLive().history?.find((each) => each.eventNumber === eventNumber)
  if (!past?.winnerWallet || !past.winnerTransactionHash) return []
  const first: PublicDrawnTicket = {
    ...{ eventNumber, kind: 'winner' as const, place: 1, ticketNumber: winningTicket },
    ...{ walletAddress: past.winnerWallet, transactionHash: past.winnerTransactionHash },
  }
  return [first, ...past.winners.filter(({ place }) => place > 1)]
}

function useProof(eventNumber: number | undefined): Proof | undefined {
  const [proof, setProof] = useState<Proof>()
  useEffect(() => {
    setProof(undefined)
    if (eventNumber === undefined) return
    let isOver = false
    // The proof may come a moment after the winner; the panel reports a missing one.
    const load = async () => {
      for (const ms of [800, 5_000]) {
        await new Promise((resolve) => setTimeout(resolve, ms))
        if (isOver) return
        const found = await loadProof(eventNumber)
          .then(parseProof)
          .catch(() => undefined)
        if (!found) continue
        if (!isOver) setProof(found)
        return
      }
    }
    load().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [eventNumber])
  return proof
}

/** "Block 71234567, 0x12…": where the chain has it. @internal */
export const anchorText = (anchor: ProofAnchor | null): string =>
  anchor
    ? fill(t.certificate.anchorAt, { block: `${anchor.blockNumber}`, hash: anchor.transactionHash })
    : t.certificate.noAnchor

/** By what the page was told: a proof alone has a payment's tickets, its wallet in lower case. @internal */
export const certified = ({ winners }: Proof, drawn: readonly PublicDrawnTicket[]) =>
  winners.map(({ walletAddress, ticketNumber: first, ticketCount }, index) => {
    const place = index + 1
    const told = drawn.find(
      (each) =>
        each.kind === 'winner' &&
        each.place === place &&
        each.walletAddress.toLowerCase() === walletAddress &&
        each.ticketNumber >= first &&
        each.ticketNumber < first + ticketCount,
    )
    const tickets = told ? `#${told.ticketNumber}` : numbersText(first, ticketCount)
    return { place, tickets, wallet: told?.walletAddress ?? walletAddress }
  })

/** "One producer made all five: 0x12ab…89cd", or how many blocks each made. @internal */
export function producersOf(miners: readonly string[]): string {
  const made = new Map<string, number>()
  for (const miner of miners) made.set(miner, (made.get(miner) ?? 0) + 1)
  const names = [...made].map(([miner, blocks]) =>
    made.size === 1 ? shorten(miner, 6, 4) : `${shorten(miner, 6, 4)} (${blocks})`,
  )
  return fill(made.size === 1 ? t.certificate.oneProducer : t.certificate.severalProducers, {
    count: made.size,
    names: names.join(', '),
  })
}

/** "Delivered, October 12, 2055, 12 days after the draw (Reserve 1, 0x12ab…89cd)". @internal */
export function certifiedPrize(prize: PublicPrize): string {
  const { holder, steps, kind: what } = prize
  const standing = t.prize.states[standingOf(prize)]
  const date = dateParts(steps.length > 1 ? steps.at(-1)?.at : undefined)
  const day = typeof date === 'string' ? '' : date.day
  const parts = [what === 'token' && kindOf(prize), standing, day, afterDraw(prize)]
    .filter(Boolean)
    .join(', ')
  // A winner's wallet stands on the sheet by its place.
  if (holder?.kind !== 'reserve') return parts
  const { kind, place, walletAddress } = holder
  return `${parts} (${fill(t.prize.holder[kind], { place, wallet: shorten(walletAddress, 6, 4) })})`
}

/** An address to the last digit; where it does not fit, in two halves. */
const Whole = ({ address }: { address: string }) => (
  <span>
    {address.slice(0, 22)}
    <wbr />
    {address.slice(22)}
  </span>
)

type FactRow = [name: string, value: string, isProse?: boolean]
type FactProps = { name: string; isProse?: boolean | undefined; isWide?: boolean; children: ReactNode }

function Fact({ name, isProse, isWide, children }: FactProps) {
  return (
    <div className={isWide ? styles.wide : undefined}>
      <dt className="label">{name}</dt>
      <dd className={isProse ? undefined : 'figure'} translate={isProse ? undefined : 'no'}>
        {children}
      </dd>
    </div>
  )
}
