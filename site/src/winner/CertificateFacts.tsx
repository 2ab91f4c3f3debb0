import type { ReactNode } from 'react'
import type { Proof } from '../../../core/draw/proof.ts'
import { shorten } from '../../../core/format.ts'
import { numbersText } from '../buy/standing.ts'
import { formatDate } from '../shell/dates.ts'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'

/** All that is needed to check the draw again, a line each. */
export function CertificateFacts({ proof, checkAt }: { proof: Proof; checkAt: string }) {
  const { blocks, drawDate, beacon, anchor, blockSeed, randomNumber, ledger, commitment } = proof
  return (
    <dl>
      {proof.winners.length > 1 && <Fact name={t.certificate.others}>{otherWinners(proof)}</Fact>}
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
      <Fact name={t.certificate.ledger}>{ledger.sha256.slice(2)}</Fact>
      <Fact name={t.certificate.commitment}>{commitment.slice(2)}</Fact>
      <Fact name={t.certificate.anchor} isProse={!anchor}>
        {anchor
          ? fill(t.certificate.anchorAt, { block: `${anchor.blockNumber}`, hash: anchor.transactionHash })
          : t.certificate.noAnchor}
      </Fact>
      <Fact name={t.certificate.checkAt}>{checkAt}</Fact>
    </dl>
  )
}

/** "2. 0x9aD4…7E21 (#34–#66)"; the ticket drawn is one of those. */
const otherWinners = ({ winners }: Proof): string =>
  winners
    .slice(1)
    .map(({ walletAddress, ticketNumber, ticketCount }, index) =>
      fill(t.certificate.other, {
        place: index + 2,
        wallet: shorten(walletAddress, 6, 4),
        tickets: numbersText(ticketNumber, ticketCount),
      }),
    )
    .join(' · ')

/**
 * "One producer made all five: 0x12ab…89cd", or how many blocks each made.
 * @internal
 */
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

function Fact({ name, isProse, children }: { name: string; isProse?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd className={isProse ? undefined : 'figure'}>{children}</dd>
    </div>
  )
}
