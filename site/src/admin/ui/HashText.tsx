import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { shorten } from '../../../../core/money.ts'
import { site } from '../../content/site.ts'
import { Icon } from '../../shell/Icon.tsx'

/** A link to a transaction on the block explorer; the whole hash is in its title. */
export function HashText({ hash, head = 10 }: { hash: string; head?: number }) {
  return (
    <a className="hash" href={`${site.explorerUrl}/tx/${hash}`} target="_blank" rel="noreferrer" title={hash}>
      <span>{shorten(hash, head, 0)}</span>
      <Icon svg={externalIcon} className="small" />
    </a>
  )
}

export const Wallet = ({ address }: { address: string }) => (
  <span className="figure" title={address}>
    {shorten(address, 6, 4)}
  </span>
)
