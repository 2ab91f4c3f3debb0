import { useEffect, useRef } from 'react'
import type { Address } from 'viem'
import type { PublicConfig } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { useFold } from '../shell/island.tsx'
import { Figure, Row, Stack } from '../shell/Layout.tsx'
import { Trans } from '../shell/Parts.tsx'
import shared from '../shell/shell.module.css'
import { plural, t } from '../texts/index.ts'
import { isSwapped } from '../wallet/pinned.ts'
import { purchaseTotal } from '../wallet/transfer.ts'
import styles from './buy.module.css'

type Props = {
  quantity: number
  config: PublicConfig | undefined
  price: number | undefined
  isOpen: boolean
  instead: string | undefined
}

export function PhonePay(props: Props) {
  const { isOpen: isShown, fold } = useFold()
  return (
    <details className="fold ruled" {...fold}>
      <summary>{t.phone.title}</summary>
      {isShown && <Payment {...props} />}
    </details>
  )
}

/** What is paid, or why nothing can be. @internal */
export function Payment({ quantity, config, price, isOpen, instead }: Props) {
  if (!config?.operatorWallet || price === undefined || !isOpen || instead || isSwapped(config))
    return <p className="hint">{instead ?? t.phone.none}</p>
  const { cents, units } = purchaseTotal(quantity, price)
  const link = paymentLink(config.tokenAddress, config.chainId, config.operatorWallet, units)
  return (
    <Row align="top" gap={20} className={styles.code}>
      <Qr text={link} name={t.phone.code} />
      <Stack>
        <p>
          <Trans
            text={t.phone.text}
            amount={<Figure>{usdt(cents)} USDT</Figure>}
            tickets={plural(t.tickets, quantity)}
          />
        </p>
        <p className="hint">{t.phone.hint}</p>
        <a className="button edged small" href={link}>
          {t.phone.open}
        </a>
      </Stack>
    </Row>
  )
}

/** EIP-681: a transfer of `units` of the token, as wallets read it from a QR code or a link. @internal */
export const paymentLink = (token: Address, chainId: number, to: Address, units: bigint): string =>
  `ethereum:${token}@${chainId}/transfer?address=${to}&uint256=${units}`

function Qr({ text, name }: { text: string; name: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void import('../shell/qr.ts').then(({ drawQr }) => place.current && drawQr(place.current, text))
  }, [text])
  return <div ref={place} className={shared.qr} role="img" aria-label={name} />
}
