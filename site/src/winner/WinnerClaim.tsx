import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { PublicConfig } from '../../../core/live/public.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { Icon } from '../shell/Icon.tsx'
import { Muted, Row, Stack, Text } from '../shell/Layout.tsx'
import { useCopy } from '../shell/use-copy.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $isDialogOpen, $wallet, type Wallet } from '../wallet/wallet.ts'
import { ClaimByChain } from './ClaimByChain.tsx'
import { ClaimError, signClaim } from './claim.ts'
import { claimWords } from './claim-words.ts'
import { claimable, isOver, prizeHeldBy } from './prizes.ts'
import styles from './records.module.css'

/** `prizes` of one event; `isPast` where another one is configured by now. */
type Props = { prizes: readonly PublicPrize[]; config: PublicConfig; isPast?: boolean }

const noWallet: Wallet = { status: 'disconnected' }

/**
 * Whose turn it is proves the wallet by a signature and gets a code for the form: one button at a time, to sign, then to send the
 * details.
 */
export function WinnerClaim({ prizes, config, isPast = false }: Props) {
  const wallet = useStore($wallet, { ssr: () => noWallet })
  const [claimed, setClaimed] = useState<{ code: string; formUrl: string | null }>()
  const code = claimed?.code
  const [trouble, setTrouble] = useState<string>()
  const [isSigning, setSigning] = useState(false)
  const own = prizeHeldBy(prizes, wallet.address)
  const open = claimable(prizes)
  const goods = prizes.filter((prize) => prize.kind === 'goods' && !isOver(prize))
  if (!own && goods.length === 0) return null

  const Title = isPast ? 'h4' : 'h2'
  const { title, text, by, action } = claimWords(own, { connected: wallet.shown ?? wallet.address, goods })
  const sends = own ? code !== undefined : open.length > 0
  // The next event may have another form: a past one's is told with its code.
  const formUrl = sends ? (claimed?.formUrl ?? (isPast ? null : config.googleFormUrl)) : null
  const formHost = formUrl === null ? undefined : httpsHost(formUrl)
  const sign = async () => {
    if (!wallet.address || !own || isSigning) return
    setTrouble(undefined)
    setSigning(true)
    const claim = { ...own, wallet: wallet.address, chainId: config.chainId }
    try {
      setClaimed(await signClaim(claim))
    } catch (error) {
      setTrouble(error instanceof ClaimError ? error.message : t.claim.failed)
    } finally {
      setSigning(false)
    }
  }
  return (
    <section
      className={styles.claim}
      {...(isPast ? { 'aria-label': pastLabel(title, prizes) } : { 'aria-labelledby': 'claim-title' })}
      data-own={own?.state}
    >
      <Stack gap={4}>
        <Title id={isPast ? undefined : 'claim-title'}>{title}</Title>
        <Muted size={15}>{text}</Muted>
        {by && <Text strong>{by}</Text>}
        <p className="hint" role="status">
          {trouble ?? (wallet.address && !own && !code ? action.reason : '')}
        </p>
      </Stack>
      {own && code && <Code code={code} />}
      <Row align="top" gap={8} className={styles.actions}>
        {!wallet.address && (
          <button type="button" className="button edged small" onClick={() => $isDialogOpen.set(true)}>
            <Icon svg={penIcon} /> <span>{t.claim.connect}</span>
          </button>
        )}
        {wallet.address && action.label && !(code && formHost) && (
          <button
            type="button"
            className={own ? 'button gold' : 'button edged small'}
            disabled={!own}
            aria-disabled={isSigning}
            onClick={sign}
          >
            {isSigning ? <span className="busy-ring" /> : <Icon svg={penIcon} />}
            <span>{isSigning ? t.claim.busy : action.label}</span>
          </button>
        )}
        {formHost && formUrl && (
          <span className={styles.form}>
            <a
              className={own ? 'button gold' : 'button small'}
              href={formUrl}
              target="_blank"
              rel="noreferrer"
            >
              {t.claim.form}
            </a>
            <small className="hint">{fill(t.claim.formAt, { host: formHost })}</small>
          </span>
        )}
      </Row>
      {open[0] && <ClaimByChain config={config} prize={open[0]} wallet={wallet.address} />}
    </section>
  )
}

/** A winner should see where his address goes before he types it. */
const httpsHost = (url: string): string | undefined =>
  /^https:/.test(url) && URL.canParse(url) ? new URL(url).hostname : undefined

function Code({ code }: { code: string }) {
  const { isCopied, copy } = useCopy(code)
  return (
    <div role="status">
      <p className="field-label">{t.claim.code}</p>
      <div className="address address-row">
        <b className={styles.letters} translate="no" data-code>
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

/** Two events may ask for the same at once. */
const pastLabel = (title: string, prizes: readonly PublicPrize[]): string =>
  fill(t.claim.ofPast, { title, event: prizes[0]?.eventNumber ?? '' })
