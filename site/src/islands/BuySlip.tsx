import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatCents } from '../../../core/money.ts'
import { salePhase } from '../lib/sale.ts'
import { priceCents, purchaseTotal } from '../lib/transfer.ts'
import { $now } from '../stores/clock.ts'
import { $config, $stats } from '../stores/live.ts'
import { $isBuying, buyTickets, isSwapped, swappedText } from '../stores/purchase.ts'
import { $wallet, type Wallet } from '../stores/wallet.ts'
import { QuantityStepper } from './QuantityStepper.tsx'
import { WalletStatus } from './WalletStatus.tsx'

const noWallet: Wallet = { status: 'disconnected' }

/** The paper slip: wallet, quantity, the sum, and below the tear line the one button that pays. */
export function BuySlip() {
  const [quantity, setQuantity] = useState(1)
  const wallet = useStore($wallet, { ssr: () => noWallet })
  const config = useStore($config, { ssr: () => undefined })
  const stats = useStore($stats, { ssr: () => undefined })
  const isBuying = useStore($isBuying, { ssr: () => false })
  const now = useStore($now, { ssr: () => 0 })

  const price = stats?.ticketPrice
  const sale = config && salePhase(config, now)
  const reason = reasonNotToBuy()
  return (
    <div className="ticket slip">
      <div className="ticket-face paper standing">
        <div className="slip-top">
          <WalletStatus wallet={wallet} />
          {/* Off until the page is alive: React would put back what is typed before. */}
          <QuantityStepper quantity={quantity} onChange={setQuantity} isDisabled={isBuying || !stats} />
          <dl className="summary">
            <div>
              <dt>Ticket Price</dt>
              <dd>{price === undefined ? '–' : formatCents(priceCents(price))} USDT</dd>
            </div>
            <div>
              <dt>Quantity</dt>
              <dd>{quantity}</dd>
            </div>
          </dl>
          <p className="total">
            <span>Total Amount</span>
            <output className="figure" aria-live="polite">
              <b>{price === undefined ? '–' : formatCents(purchaseTotal(quantity, price).cents)}</b> USDT
            </output>
          </p>
          <p className="hint slip-note">
            Network fee is paid in BNB. Any remainder below one ticket stays with the operator.
          </p>
        </div>
        <div className="slip-stub">
          <button
            type="button"
            className="button gold large"
            disabled={reason !== undefined || isBuying}
            aria-describedby="buy-reason"
            onClick={() => buyTickets(quantity)}
          >
            {isBuying && <span className="busy-ring" />}
            {isBuying ? 'Processing...' : sale === 'closed' ? 'Sales closed' : 'Buy Tickets'}
          </button>
          <p id="buy-reason" className="hint" role="status">
            {isBuying ? 'Approve the transfer in your wallet.' : (reason ?? saleHint())}
          </p>
        </div>
      </div>
    </div>
  )

  function reasonNotToBuy(): string | undefined {
    if (!config || !stats) return 'Loading the sale.'
    if (sale === 'closed') return 'The sale of this event is over.'
    if (sale === 'paused') return 'Sales are paused for now. Payments already made are credited.'
    if (isSwapped(config)) return swappedText
    if (wallet.status === 'connecting') return 'Answer the request in your wallet.'
    return wallet.status === 'connected' ? undefined : 'Connect a wallet first.'
  }

  function saleHint(): string {
    if (!config?.operatorWallet) return 'Operator wallet address is not configured.'
    if (sale === 'closing') return 'Sales close in under 2 minutes. A late payment is refunded.'
    return wallet.isOnBsc === false
      ? 'Your wallet will be asked to switch to BNB Smart Chain.'
      : 'One transfer of USDT on BSC.'
  }
}
