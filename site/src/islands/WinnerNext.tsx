import refundIcon from 'lucide-static/icons/undo-2.svg?raw'
import { Icon } from '../components/Icon.tsx'

/** What the winner does now; in refund mode, what happens to the payments instead. */
export function WinnerNext({ isRefund, formUrl }: { isRefund: boolean; formUrl: string | null }) {
  if (isRefund)
    return (
      <div className="note bad winner-next">
        <Icon svg={refundIcon} />
        <p>
          <b>Refund information.</b> Every payment of this event goes back in full to the address it came
          from, within 3–5 business days. Nothing needs to be done.
        </p>
      </div>
    )
  return (
    <div className="card winner-next claim">
      <div>
        <h2>Is this your wallet?</h2>
        <p>
          Send us your shipping details. The prize is shipped 3–5 days after they are confirmed. Keep the
          wallet: we ask for a proof that it is yours.
        </p>
      </div>
      {formUrl && /^https:/.test(formUrl) && (
        <a className="button" href={formUrl} target="_blank" rel="noreferrer">
          Submit Shipping Information
        </a>
      )}
    </div>
  )
}
