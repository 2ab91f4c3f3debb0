import { useStore } from '@nanostores/react'
import type { PublicRefund } from '../../../core/live/public.ts'
import { $drawStatus } from '../live/live.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'

/** How long the refunds of an event have taken and how far they are; nothing once everybody is paid. */
export function OpenRefund({ eventNumber }: { eventNumber: number }) {
  const drawStatus = useStore($drawStatus, { ssr: () => undefined })
  const refund = drawStatus?.refunds.find((one) => one.eventNumber === eventNumber)
  return refund ? <p data-refunds={eventNumber}>{refundText(refund)}</p> : null
}

function refundText({ days, paid, open }: PublicRefund): string {
  const since = days === 0 ? t.openRefund.today : plural(t.openRefund.days, days)
  return `${since} ${fill(t.openRefund.paid, { paid, all: paid + open })}`
}
