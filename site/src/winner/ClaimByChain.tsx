import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import { useState } from 'react'
import { register } from '../../../core/chain/register.ts'
import { encodeAnchor } from '../../../core/draw/anchor.ts'
import type { PublicConfig } from '../../../core/live/public.ts'
import { claimCommitment } from '../../../core/prize/claim.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { Icon } from '../shell/Icon.tsx'
import { useCopy } from '../shell/use-copy.ts'
import { t } from '../texts/index.ts'
import { isSameAddress, sendTransaction } from '../wallet/eip1193.ts'
import { toBsc, walletMessage, walletProvider } from '../wallet/wallet.ts'

type Props = { config: PublicConfig; prize: PublicPrize; wallet: string | undefined }

/** The other way to claim, for the day when this site is away; saved with the page, so it is said before. */
export function ClaimByChain({ config: { book }, prize: { eventNumber, holder }, wallet }: Props) {
  const [told, setTold] = useState('')
  if (!book) return null
  const data = encodeAnchor(book, eventNumber, claimCommitment)
  const isHolder = wallet !== undefined && isSameAddress(wallet, holder?.walletAddress)
  const send = async () => {
    const provider = walletProvider()
    if (!provider) return setTold(t.claim.walletGone)
    setTold(t.claim.busy)
    try {
      await toBsc()
      const transaction = { from: wallet, to: register.address, data, value: '0x0' }
      setTold((await sendTransaction(provider, transaction)) ? t.byChain.sent : t.byChain.unclear)
    } catch (error) {
      setTold(walletMessage(error) ?? t.byChain.failed)
    }
  }
  return (
    <details className="fold" data-claim-by-chain={eventNumber}>
      <summary>{t.byChain.title}</summary>
      <p>{t.byChain.text}</p>
      <Line name={t.byChain.contract} text={register.address} />
      <Line name={t.byChain.data} text={data} />
      {isHolder && (
        <button type="button" className="button edged" onClick={send}>
          {t.byChain.send}
        </button>
      )}
      <p className="hint" role="status">
        {told}
      </p>
    </details>
  )
}

function Line({ name, text }: { name: string; text: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <p className="field-label">{name}</p>
      <div className="address address-row">
        <span translate="no">{text}</span>
        <button type="button" onClick={copy}>
          <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
          <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
        </button>
      </div>
    </>
  )
}
