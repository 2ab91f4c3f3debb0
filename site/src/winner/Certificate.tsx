import printerIcon from 'lucide-static/icons/printer.svg?raw'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { type Proof, parseProof } from '../../../core/draw/proof.ts'
import { parseTerms, type TermsField } from '../../../core/event/terms.ts'
import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { brandName } from '../live/brand.ts'
import { useLive, useShown } from '../shell/hooks.ts'
import { Icon } from '../shell/Icon.tsx'
import { island } from '../shell/island.tsx'
import { Muted, Row, Stack } from '../shell/Layout.tsx'
import { Trans } from '../shell/Parts.tsx'
import { TermsFold } from '../shell/TermsFold.tsx'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './Certificate.module.css'
import { CertificateFacts, certified, Whole } from './CertificateFacts.tsx'
import { $check, $checkedEvent, loadProof } from './check.ts'
import { useEventPrizes } from './event-prizes.ts'
import { Seal } from './WinnerTicket.tsx'

/** More winners than these are printed on A4, and a beacon, which has lines of its own. */
const mostOnA5 = ({ beacon }: Proof): number => (beacon ? 0 : 3)

/** The result on paper: what was drawn, the fingerprint, where to check it. Hidden after a failed check. */
export const Certificate = island(function Certificate() {
  const eventNumber = useShown($checkedEvent)
  const check = useShown($check)
  const proof = useProof(eventNumber)
  const [isPrinting, setPrinting] = useState(false)
  if (!proof || check?.lines.some(({ state }) => state === 'failed'))
    return <p className="hint">{t.certificate.none}</p>

  const print = () => {
    // Printing may block the page at once, so the sheet is rendered before.
    flushSync(() => setPrinting(true))
    window.addEventListener('afterprint', () => setPrinting(false), { once: true })
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
      {isPrinting &&
        createPortal(
          <div
            className={
              proof.winners.length > mostOnA5(proof) ? `${styles.sheet} ${styles.long}` : styles.sheet
            }
          >
            <Sheet proof={proof} />
          </div>,
          document.body,
        )}
    </Stack>
  )
})

function Sheet({ proof }: { proof: Proof }) {
  const { winningTicket, ticketsSold } = proof
  const { eventNumber, drawDate } = promisedBy(proof)
  const drawn = useDrawn(eventNumber, winningTicket)
  const prizes = useEventPrizes(eventNumber)
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
          <Whole address={certified(proof, drawn)[0]?.wallet ?? ''} />
        </p>
        <CertificateFacts
          proof={proof}
          drawDate={drawDate}
          drawn={drawn}
          prizes={Array.isArray(prizes) ? prizes : []}
          checkAt={checkAddress(eventNumber)}
        />
        <Seal eventNumber={eventNumber} date={drawDate} />
      </div>
    </article>
  )
}

/** Of the terms line, which the parser of the proof has read before. */
function promisedBy({ terms }: Proof): { eventNumber: number; drawDate: string } {
  const { eventNumber, drawDate } = parseTerms(terms) as Record<TermsField, string>
  return { eventNumber: Number(eventNumber), drawDate: new Date(Number(drawDate) * 1_000).toISOString() }
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

/** Opens this page at the check of this event, also after later draws. */
const checkAddress = (eventNumber: number): string => `${location.origin}/?event=${eventNumber}#winner`

function useProof(eventNumber: number | undefined): Proof | undefined {
  const [proof, setProof] = useState<Proof>()
  useEffect(() => {
    setProof(undefined)
    if (eventNumber === undefined) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    // The proof may come a moment after the winner; the panel reports a missing one.
    const load = async (isLast: boolean) => {
      try {
        const text = await loadProof(eventNumber)
        if (stop.signal.aborted) return
        setProof(parseProof(text))
      } catch {
        if (!isLast && !stop.signal.aborted) timer = setTimeout(() => load(true), 5_000)
      }
    }
    timer = setTimeout(() => load(false), 800)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [eventNumber])
  return proof
}
