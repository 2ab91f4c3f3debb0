import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatCents } from '../../../core/money.ts'
import { salePhase } from '../lib/sale.ts'
import { priceCents, purchaseTotal } from '../lib/transfer.ts'
import { $now } from '../stores/clock.ts'
import { $config, $stats } from '../stores/live.ts'
import { $isBuying, buyTickets, isSwapped } from '../stores/purchase.ts'
import { $wallet, type Wallet } from '../stores/wallet.ts'
import { t } from '../texts/index.ts'
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
              <dt>{t.buy.price}</dt>
              <dd>{price === undefined ? '–' : formatCents(priceCents(price))} USDT</dd>
            </div>
            <div>
              <dt>{t.buy.quantity}</dt>
              <dd>{quantity}</dd>
            </div>
          </dl>
          <p className="total">
            <span>{t.buy.total}</span>
            <output className="figure" aria-live="polite">
              <b>{price === undefined ? '–' : formatCents(purchaseTotal(quantity, price).cents)}</b> USDT
            </output>
          </p>
          <p className="hint slip-note">{t.buy.note}</p>
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
            {isBuying ? t.buy.busy : sale === 'closed' ? t.buy.closedButton : t.buy.button}
          </button>
          <p id="buy-reason" className="hint" role="status">
            {isBuying ? t.buy.approve : (reason ?? saleHint())}
          </p>
        </div>
      </div>
    </div>
  )

  function reasonNotToBuy(): string | undefined {
    if (!config || !stats) return t.buy.loading
    if (sale === 'closed') return t.buy.over
    if (sale === 'paused') return t.buy.paused
    if (isSwapped(config)) return t.buy.swapped
    if (wallet.status === 'connecting') return t.buy.answer
    return wallet.status === 'connected' ? undefined : t.buy.connectFirst
  }

  function saleHint(): string {
    if (!config?.operatorWallet) return t.buy.noOperator
    if (sale === 'closing') return t.buy.closing
    return wallet.isOnBsc === false ? t.buy.willSwitch : t.buy.oneTransfer
  }
}
