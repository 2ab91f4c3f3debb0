import type { ReactNode } from 'react'
import type { Proof, ProofAnchor } from '../../../core/draw/proof.ts'
import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { numbersText } from '../buy/standing.ts'
import { dateParts, formatDate } from '../shell/dates.ts'
import { count, fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './Certificate.module.css'
import { afterDraw } from './PrizeRecord.tsx'
import { kindOf, standingOf } from './prizes.ts'

type Props = {
  proof: Proof
  drawDate: string
  drawn: readonly PublicDrawnTicket[]
  prizes: readonly PublicPrize[]
  checkAt: string
}

/** All that is needed to check the draw again, a line each. */
export function CertificateFacts({ proof, drawDate, drawn, prizes, checkAt }: Props) {
  const others = certified(proof, drawn).slice(1)
  const { blocks, beacon, blockSeed, randomNumber, list, termsSha256, commitment } = proof
  const { anchors, formerWallets } = proof
  return (
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
      <Fact name={t.certificate.drawDate} isProse>
        {formatDate(drawDate)}
      </Fact>
      <Fact name={t.certificate.blocks}>
        {fill(t.certificate.blockRange, { first: `${blocks[0]?.number}`, last: `${blocks.at(-1)?.number}` })}
      </Fact>
      <Fact name={t.certificate.producers} isProse>
        {producersOf(proof.miners)}
      </Fact>
      <Fact name={t.beacon.source} isProse>
        {beacon ? fill(t.beacon.blocksAndRound, { round: beacon.round }) : t.beacon.blocks}
      </Fact>
      {beacon && <Fact name={t.certificate.blockSeed}>{blockSeed}</Fact>}
      {beacon && (
        <Fact name={fill(t.certificate.signature, { round: count(beacon.round) })}>
          {beacon.signature.slice(2)}
        </Fact>
      )}
      <Fact name={t.certificate.random}>{randomNumber}</Fact>
      <Fact name={t.certificate.ledger}>{list.sha256.slice(2)}</Fact>
      <Fact name={t.certificate.termsHash}>{termsSha256.slice(2)}</Fact>
      <Fact name={t.certificate.termsAnchor} isProse={!anchors.terms}>
        {anchorText(anchors.terms)}
      </Fact>
      <Fact name={t.certificate.commitment}>{commitment.slice(2)}</Fact>
      <Fact name={t.certificate.listAnchor} isProse={!anchors.list}>
        {anchorText(anchors.list)}
      </Fact>
      {formerWallets.length > 0 && (
        <Fact name={t.certificate.formerWallets}>
          {formerWallets.map((address) => shorten(address, 6, 4)).join(', ')}
        </Fact>
      )}
      <Fact name={t.certificate.checkAt}>{checkAt}</Fact>
    </dl>
  )
}

/** "Block 71234567, 0x12…": where the chain has it. @internal */
export const anchorText = (anchor: ProofAnchor | null): string =>
  anchor
    ? fill(t.certificate.anchorAt, { block: `${anchor.blockNumber}`, hash: anchor.transactionHash })
    : t.certificate.noAnchor

/** In order, by what the page was told: a proof alone has a payment's tickets, and its wallet in lower case. */
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
export const Whole = ({ address }: { address: string }) => (
  <span>
    {address.slice(0, 22)}
    <wbr />
    {address.slice(22)}
  </span>
)

type FactProps = { name: string; isProse?: boolean; isWide?: boolean; children: ReactNode }

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
