import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import minusIcon from 'lucide-static/icons/minus.svg?raw'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { shorten, usdt } from '../../../core/money.ts'
import { $gate, openGate } from '../house/gate.ts'
import { $now } from '../live/clock.ts'
import { $link } from '../live/live.ts'
import { salePhase, stageOf } from '../live/stage.ts'
import { Icon } from '../shell/Icon.tsx'
import { useLive, useShown } from '../shell/island.tsx'
import { Muted, Row, Stack, Text } from '../shell/Layout.tsx'
import { Fact, TicketOutline } from '../shell/Parts.tsx'
import ticket from '../shell/Ticket.module.css'
import { count, fill, t } from '../texts/index.ts'
import { $balances, type Balances, bnbText, missing } from '../wallet/balances.ts'
import { isSwapped } from '../wallet/pinned.ts'
import { priceCents, purchaseTotal } from '../wallet/transfer.ts'
import { $isDialogOpen, $wallet, type Wallet } from '../wallet/wallet.ts'
import styles from './buy.module.css'
import { $myTickets } from './my-tickets.ts'
import { PhonePay } from './PhonePay.tsx'
import { $isBuying, $isHanding, $purchases, $quantity, buyTickets } from './purchase.ts'

export function BuySlip() {
  const quantity = useShown($quantity)
  const wallet = useShown($wallet)
  const balances = useShown($balances)
  const mine = useShown($myTickets)
  const known = useLive()
  const { config, stats } = known
  const isBuying = useShown($isBuying)
  const isHanding = useShown($isHanding)
  const isUnclear = useShown($purchases).some(({ hash }) => hash === null)
  const now = useShown($now)
  const gate = useShown($gate) ?? openGate
  const stage = stageOf(known, now)
  const after = stage && stage !== 'selling' && !isBuying ? stage : undefined
  const isShut = !after && gate.kind === 'closed'
  const price = stats?.ticketPrice
  const sum = price === undefined ? undefined : purchaseTotal(quantity, price)
  const sale = after ? 'closed' : config && salePhase(config, now)
  const isOpen = sale === 'open' || sale === 'closing'
  const toCome = useShown($link) === 'offline' ? t.away.list : t.buy.loading
  const reason = reasonNotToBuy()
  // Nobody is invited to pay twice, nor to fetch the money for it.
  const isAsked = isOpen && !isBuying && !isUnclear && !reason
  const lack = isAsked && balances && sum ? missing(balances, sum.units) : undefined
  return (
    <>
      <div className={ticket.ticket}>
        <div className={`${ticket.face} ${ticket.paper} ${ticket.standing} ${styles.slip}`}>
          <Stack className={styles.top}>
            <WalletStatus wallet={wallet} balances={balances} />
            <div className={styles.sale}>
              {after && (
                <div className="empty">
                  <TicketOutline />
                  <h2 className="h3-display">{t.buy.closed}</h2>
                </div>
              )}
              {/* Once it is over it is only a place that is held free, so nothing below moves. */}
              <Stack inert={after !== undefined}>
                {/* Until React has started, which would reset what was typed. */}
                <Quantity isDisabled={isBuying || !stats || sale === 'closed'} />
                <dl className="summary">
                  <Fact name={t.buy.price} translate="no">
                    {`${price === undefined ? '–' : usdt(priceCents(price))} USDT`}
                  </Fact>
                  <Fact name={t.buy.quantity} translate="no">
                    {count(quantity)}
                  </Fact>
                </dl>
                <Row as="p" align="base" spread className={`strong ${styles.total}`}>
                  <span>{t.buy.total}</span>
                  <output className="figure" translate="no" aria-live="polite">
                    <b>{sum ? usdt(sum.cents) : '–'}</b> USDT
                  </output>
                </Row>
                <Muted size={15} className={styles.odds}>
                  {isOpen && stats ? odds(stats.ticketsSold) : ''}
                </Muted>
                <p className="hint">{t.buy.note}</p>
              </Stack>
            </div>
          </Stack>
          <div
            className={styles.stub}
            data-pay
            data-long={reason === t.buy.swapped || isUnclear || undefined}
          >
            {isShut && (
              <div role="status" data-gate={gate.kind}>
                <Text strong>{gate.title}</Text>
                <p className="hint">{gate.text}</p>
              </div>
            )}
            {after ? (
              <a className="button gold large" href={after === 'refund' ? '#next' : '#winner'}>
                {t.buy.after[after]}
              </a>
            ) : (
              <button
                type="button"
                className="button gold large"
                hidden={isShut}
                disabled={reason !== undefined || isBuying}
                aria-describedby="buy-reason"
                onClick={() => buyTickets(quantity)}
              >
                {isBuying && <span className="busy-ring" />}
                <span>{isBuying ? t.buy.busy : t.buy.button}</span>
              </button>
            )}
            <p id="buy-reason" className={lack ? 'field-error strong' : 'hint'} role="status" hidden={isShut}>
              {lack && <Icon svg={alertIcon} className="small" />}
              <span>
                {isBuying
                  ? isHanding
                    ? t.buy.handing
                    : t.buy.approve
                  : (reason ?? (lack ? lackText(lack) : saleHint()))}
              </span>
            </p>
          </div>
        </div>
      </div>
      <PhonePay
        quantity={quantity}
        config={config}
        price={price}
        isOpen={isOpen}
        instead={gate.kind === 'open' ? undefined : gate.instead}
      />
    </>
  )

  function reasonNotToBuy(): string | undefined {
    if (!config || !stats) return toCome
    if (sale === 'closed') return t.buy.over
    if (sale === 'paused') return config.waitsForNode ? t.buy.pausedForNode : t.buy.paused
    if (sale === 'soon') return t.buy.soon
    if (isSwapped(config)) return t.buy.swapped
    if (gate.kind === 'asking') return toCome
    if (wallet.status === 'connecting') return t.buy.answer
    if (wallet.status !== 'connected') return t.buy.connectFirst
    return undefined
  }

  function saleHint(): string {
    // Nobody is invited to pay twice.
    if (isUnclear) return t.buy.unclear
    if (!config?.operatorWallet) return t.buy.noOperator
    if (sale === 'closing') return t.buy.closing
    return wallet.isOnBsc === false ? t.buy.willSwitch : t.buy.oneTransfer
  }

  /** Shown before anything is signed. The button stays enabled: money may be on its way to this wallet. */
  function lackText(lack: 'usdt' | 'bnb' | 'both'): string {
    return fill(t.buy.lacks[lack], {
      held: usdt((balances?.usdt ?? 0n) / 10n ** 16n),
      needed: usdt(sum?.cents ?? 0n),
      fee: bnbText(balances?.fee ?? 0n),
    })
  }

  function odds(sold: number): string {
    const own = (wallet.address ? (mine?.ticketCount ?? 0) : 0) + quantity
    const total = sold + quantity
    // Nothing would be drawn if the sale ended now.
    const minimum = config?.minTicketsForDraw ?? 0
    if (total < minimum) return fill(t.buy.belowMinimum, { total, minimum })
    return fill(t.buy.odds, { own, total, odds: oneIn(own, total) })
  }
}

function WalletStatus({ wallet, balances }: { wallet: Wallet; balances: Balances | undefined }) {
  const { status, isOnBsc, shown: address = wallet.address } = wallet
  return (
    <Stack gap={4} className="nowrap">
      <Row spread gap={8} className={styles.status}>
        <span className="label">{t.wallet.label}</span>
        {status === 'connected' && address ? (
          <Row as="span" gap={8} className="figure size-15" translate="no" title={address}>
            <span className={`dot ${isOnBsc ? 'ok' : 'bad'}`} />
            <span translate="no">{shorten(address, 6, 4)}</span>
            {!isOnBsc && <span>{` · ${t.wallet.otherNetwork}`}</span>}
          </Row>
        ) : (
          <Row as="span" gap={8} className="size-15">
            <span className="dot" />
            <span>{status === 'connecting' ? t.wallet.connecting : t.wallet.notConnected}</span>
            {status === 'disconnected' && (
              <button type="button" className="button compact" onClick={() => $isDialogOpen.set(true)}>
                {t.wallet.choose}
              </button>
            )}
          </Row>
        )}
      </Row>
      <Row spread gap={8} className={styles.status}>
        <span className="label">{t.wallet.balance}</span>
        <Row as="span" gap={16} className="figure size-15" translate="no" data-balances>
          <span>{balances ? usdt(balances.usdt / 10n ** 16n) : '–'} USDT</span>
          <span>{balances ? bnbText(balances.bnb) : '–'} BNB</span>
        </Row>
      </Row>
    </Stack>
  )
}

/** The "37" in "1 in 37", with one decimal below 10; both counts include the tickets to be bought. @internal */
export function oneIn(mine: number, total: number): string {
  const share = total / mine
  return share < 10 ? (Math.round(share * 10) / 10).toString() : Math.round(share).toLocaleString('en-US')
}

/** Enough for any purchase, and its amount in hundredths is still a safe integer. */
const most = 10_000_000_000

const presets = [1, 5, 10, 33, 100]

function Quantity({ isDisabled }: { isDisabled: boolean }) {
  const quantity = useShown($quantity)
  // The field may be empty while the next number is typed; the quantity keeps its value.
  const [isEmpty, setEmpty] = useState(false)
  const step = (by: number) => {
    setEmpty(false)
    const next = parseQuantity(String(quantity + by))
    if (next !== undefined) $quantity.set(next)
  }
  return (
    <>
      <Row spread>
        <label className="strong" htmlFor="quantity">
          {t.buy.quantity}
        </label>
        <div className={styles.stepper} data-ring>
          <button
            type="button"
            aria-label={t.buy.less}
            disabled={isDisabled || quantity <= 1}
            onClick={() => step(-1)}
          >
            <Icon svg={minusIcon} />
          </button>
          <input
            id="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            aria-describedby="buy-reason"
            step={1}
            autoComplete="off"
            value={isEmpty ? '' : quantity}
            disabled={isDisabled}
            onChange={({ target }) => {
              const typed = parseQuantity(target.value)
              // A letter makes the value empty too; it is ignored, and the number stays.
              setEmpty(target.value === '' && !target.validity.badInput)
              if (typed !== undefined) $quantity.set(typed)
            }}
            onBlur={() => setEmpty(false)}
          />
          <button type="button" aria-label={t.buy.more} disabled={isDisabled} onClick={() => step(1)}>
            <Icon svg={plusIcon} />
          </button>
        </div>
      </Row>
      <fieldset className={styles.presets}>
        <legend className="visually-hidden">{t.buy.presets}</legend>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className="button edged compact figure"
            translate="no"
            aria-pressed={preset === quantity}
            disabled={isDisabled}
            onClick={() => $quantity.set(preset)}
          >
            {count(preset)}
          </button>
        ))}
      </fieldset>
    </>
  )
}

/** The quantity in a typed text; undefined unless it is a whole number from 1. @internal */
export function parseQuantity(text: string): number | undefined {
  if (!/^\d{1,11}$/.test(text.trim())) return undefined
  const quantity = Number.parseInt(text, 10)
  return quantity >= 1 && quantity <= most ? quantity : undefined
}
