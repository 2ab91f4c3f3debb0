import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { Address } from 'viem'
import { shorten } from '../../../core/format.ts'
import type { PublicWinner } from '../../../core/public.ts'
import { Icon } from '../shell/Icon.tsx'
import { useCopy } from '../shell/use-copy.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $isDialogOpen, $wallet, type Wallet } from '../wallet/wallet.ts'
import { ClaimError, signClaim } from './claim.ts'
import styles from './WinnerClaim.module.css'
import winnerStyles from './winner.module.css'

type Props = {
  winner: PublicWinner
  /** Wallets of the other winners. */
  others: readonly Address[]
  formUrl: string | null
}

const noWallet: Wallet = { status: 'disconnected' }

/** The winner proves ownership of the wallet by a signature and gets a code for the shipping form. */
export function WinnerClaim({ winner, others, formUrl }: Props) {
  const wallet = useStore($wallet, { ssr: () => noWallet })
  const [code, setCode] = useState<string>()
  const [trouble, setTrouble] = useState<string>()
  const [isSigning, setSigning] = useState(false)
  const place =
    1 +
    [winner.walletAddress, ...others].findIndex(
      (winning) => wallet.address?.toLowerCase() === winning.toLowerCase(),
    )
  const isOwn = place > 0
  const formHost = formUrl === null ? undefined : httpsHost(formUrl)

  const sign = async () => {
    if (!wallet.address || isSigning) return
    setTrouble(undefined)
    setSigning(true)
    try {
      setCode(await signClaim(winner.eventNumber, place, wallet.address))
    } catch (error) {
      setTrouble(error instanceof ClaimError ? error.message : t.claim.failed)
    } finally {
      setSigning(false)
    }
  }
  return (
    <section className={`card ${winnerStyles.next} ${styles.claim}`} aria-labelledby="claim-title">
      <div>
        <h2 id="claim-title">{isOwn ? t.claim.own : t.claim.ask}</h2>
        <p>{t.claim.text}</p>
        <p className="hint" role="status">
          {trouble ??
            (wallet.address && !isOwn && !code
              ? notYours(wallet.shown ?? wallet.address, winner.walletAddress, others.length + 1)
              : '')}
        </p>
      </div>
      <div className={styles.actions}>
        {wallet.address ? (
          <button
            type="button"
            className="button edged"
            disabled={!isOwn}
            aria-disabled={isSigning}
            onClick={sign}
          >
            {isSigning ? <span className="busy-ring" /> : <Icon svg={penIcon} />}
            {isSigning ? t.claim.busy : t.claim.sign}
          </button>
        ) : (
          <button type="button" className="button edged" onClick={() => $isDialogOpen.set(true)}>
            <Icon svg={penIcon} /> {t.claim.connect}
          </button>
        )}
        {formHost && formUrl && (
          <span className={styles.form}>
            <a className="button" href={formUrl} target="_blank" rel="noreferrer">
              {t.claim.form}
            </a>
            <small className="hint">{fill(t.claim.formAt, { host: formHost })}</small>
          </span>
        )}
      </div>
      {isOwn && code && <Code code={code} />}
    </section>
  )
}

/** A winner should see where his address goes before he types it. */
const httpsHost = (url: string): string | undefined =>
  /^https:/.test(url) && URL.canParse(url) ? new URL(url).hostname : undefined

const notYours = (connected: string, winner: string, count: number): string =>
  fill(count > 1 ? t.claim.notOneOf : t.claim.notYours, {
    ...{ connected: shorten(connected, 6, 4), winner: shorten(winner, 6, 4), count },
  })

function Code({ code }: { code: string }) {
  const { isCopied, copy } = useCopy(code)
  return (
    <div className={styles.code} role="status">
      <p className="field-label">{t.claim.code}</p>
      <div className="address address-row">
        <b className={styles.letters} data-code>
          {code}
        </b>
        <button type="button" onClick={copy} data-copied={isCopied ? '' : undefined}>
          <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
          <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
        </button>
      </div>
      <p className="hint">{t.claim.keep}</p>
    </div>
  )
}
