import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { Address } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { encodeAnchor } from '../../../core/draw/anchor.ts'
import type { PublicConfig } from '../../../core/live/public.ts'
import { shorten, usdtOf } from '../../../core/money.ts'
import { claimCommitment } from '../../../core/prize/claim.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import { CopyRow } from '../shell/Copy.tsx'
import { formatDate } from '../shell/dates.ts'
import { Icon } from '../shell/Icon.tsx'
import { useShown } from '../shell/island.tsx'
import { Muted, Row, Stack, Text } from '../shell/Layout.tsx'
import { fill, t } from '../texts/index.ts'
import { isSameAddress, personalSign, sendTransaction } from '../wallet/eip1193.ts'
import { $isDialogOpen, $wallet, toBsc, walletMessage, walletProvider } from '../wallet/wallet.ts'
import { claimable, isOver, type PrizeStanding, prizeHeldBy, standingOf } from './prizes.ts'
import styles from './records.module.css'

/** `prizes` of one event; `isPast` where another one is configured by now. */
type Props = { prizes: readonly PublicPrize[]; config: PublicConfig; isPast?: boolean }

export function WinnerClaim({ prizes, config, isPast = false }: Props) {
  const wallet = useShown($wallet)
  const [claimed, setClaimed] = useState<{ code: string; formUrl: string | null }>()
  const code = claimed?.code
  const [trouble, setTrouble] = useState<string>()
  const [isSigning, setSigning] = useState(false)
  const own = prizeHeldBy(prizes, wallet.address)
  const open = claimable(prizes)
  const goods = prizes.filter((prize) => prize.kind === 'goods' && !isOver(prize))
  if (!own && goods.length === 0) return null

  const Title = isPast ? 'h4' : 'h2'
  const { title, text, by, action } = claimWords(own, wallet.shown ?? wallet.address, goods)
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
      className={`stack gap-12 ${styles.claim}`}
      {...(isPast ? { 'aria-label': pastLabel(title, prizes) } : { 'aria-labelledby': 'claim-title' })}
      data-own={own?.state}
    >
      <Stack gap={4}>
        <Title id={isPast ? undefined : 'claim-title'}>{title}</Title>
        <Muted size={15}>{text}</Muted>
        {by && <Text strong>{by}</Text>}
        <p className="hint" role="status">
          {trouble}
        </p>
      </Stack>
      {own && code && <Code code={code} />}
      {own && code && !formHost && <Text strong>{t.claim.byMail}</Text>}
      <Row align="top" gap={8} className={styles.actions}>
        {!wallet.address && (
          <button type="button" className="button edged small" onClick={() => $isDialogOpen.set(true)}>
            <Icon svg={penIcon} /> <span>{t.claim.connect}</span>
          </button>
        )}
        {action && !code && (
          <button type="button" className="button gold" aria-disabled={isSigning} onClick={sign}>
            {isSigning ? <span className="busy-ring" /> : <Icon svg={penIcon} />}
            <span>{isSigning ? t.claim.busy : action}</span>
          </button>
        )}
        {formHost && formUrl && (
          <Stack as="span" gap={4}>
            <a
              className={own ? 'button gold' : 'button small'}
              href={formUrl}
              target="_blank"
              rel="noreferrer"
            >
              {t.claim.form}
            </a>
            <small className="hint">{fill(t.claim.formAt, { host: formHost })}</small>
          </Stack>
        )}
      </Row>
      {open[0] && <ClaimByChain config={config} prize={open[0]} wallet={wallet.address} />}
    </section>
  )
}

/** A winner should see where his address goes before he types it. */
const httpsHost = (url: string): string | undefined =>
  /^https:/.test(url) && URL.canParse(url) ? new URL(url).hostname : undefined

const Code = ({ code }: { code: string }) => (
  <div role="status">
    <CopyRow name={t.claim.code} text={code}>
      <b className={styles.letters} translate="no" data-code>
        {code}
      </b>
    </CopyRow>
    <p className="hint">{t.claim.keep}</p>
  </div>
)

/** Two events may ask for the same at once. */
const pastLabel = (title: string, prizes: readonly PublicPrize[]): string =>
  fill(t.claim.ofPast, { title, event: prizes[0]?.eventNumber ?? '' })

/** `by`: the last day of the turn, `action`: of the button; each empty where there is none. */
function claimWords(
  own: PublicPrize | undefined,
  connected: string | undefined,
  goods: readonly PublicPrize[],
) {
  if (own) {
    const [title, text, action = ''] = wordsOf(own)[standingOf(own)]
    const by = own.claimBy ? fill(t.holding.by, { date: formatDate(own.claimBy) }) : ''
    return { title, text, by, action }
  }
  const waiting = claimable(goods)
  const rest = waiting.length > 0 ? t.claim.text : t.holding.othersText
  const text = connected ? notYours(connected, waiting.length > 0 ? waiting : goods) : rest
  return { title: t.claim.ask, text, by: '', action: '' }
}

function wordsOf({ units, holder }: PublicPrize): Record<PrizeStanding, [string, string, string?]> {
  const amount = usdtOf(units ?? '0')
  const delivered: [string, string] = [t.holding.delivered, t.holding.deliveredText]
  return {
    due: [t.holding.token, fill(t.holding.tokenText, { amount })],
    paid: [t.holding.token, fill(t.holding.paidText, { amount })],
    unclaimed:
      holder?.kind === 'reserve'
        ? [t.holding.reserve, t.holding.reserveText, t.claim.sign]
        : [t.claim.own, t.claim.text, t.claim.sign],
    claimed: [t.claim.own, t.holding.claimedText, t.holding.again],
    sent: [t.holding.sent, t.holding.sentText, t.holding.again],
    delivered,
    lapsed: delivered,
  }
}

function notYours(connected: string, prizes: readonly PublicPrize[]): string {
  const first = prizes[0]?.holder?.walletAddress ?? ''
  return fill(prizes.length > 1 ? t.claim.notOneOf : t.claim.notYours, {
    ...{ connected: shorten(connected, 6, 4), winner: shorten(first, 6, 4), count: prizes.length },
  })
}

type ClaimByChainProps = { config: PublicConfig; prize: PublicPrize; wallet: string | undefined }

/** The other way to claim, for the day when this site is away; saved with the page, so it is said before. */
function ClaimByChain({ config: { book }, prize: { eventNumber, holder }, wallet }: ClaimByChainProps) {
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
      <CopyRow name={t.byChain.contract} text={register.address} />
      <CopyRow name={t.byChain.data} text={data} />
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

class ClaimError extends Error {
  override name = 'ClaimError'
}

type Claim = Pick<PublicPrize, 'eventNumber' | 'place'> & { wallet: Address; chainId: number }

/** Signed anew it returns the same code for the event's form. Throws ClaimError. */
async function signClaim(claim: Claim): Promise<{ code: string; formUrl: string | null }> {
  const { eventNumber, place, wallet } = claim
  const provider = walletProvider()
  if (!provider) throw new ClaimError(t.claim.walletGone)
  const query = `?place=${place}&wallet=${wallet}`
  const { message } = (await asked(() => getJson(`/api/raffle/claim/${eventNumber}`, undefined, query))).value
  // Nothing but this prize's message for this wallet, on this site, is laid before the visitor to sign.
  if (!isWanted(message, { ...claim, host: location.host })) throw new ClaimError(t.claim.notAClaim)
  const signature = (await personalSign(provider, message, wallet).catch((error) => {
    throw new ClaimError(walletMessage(error) ?? t.claim.notSigned)
  })) as `0x${string}`
  const { code, formUrl } = await asked(() =>
    postJson('/api/raffle/claim', { eventNumber, place, message, signature }),
  )
  return { code, formUrl: formUrl ?? null }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    throw new ClaimError(detail ?? t.claim.unreachable)
  }
}

/** What a message has to bind before a wallet is asked to sign it; `host` is this page's. @internal */
export type Wanted = Claim & { host: string }

/** EIP-4361; core/prize/claim.ts, which makes these messages, is not loaded into the page. */
const form = new RegExp(
  [
    '^(?:https?://)?(?<domain>\\S+) wants you to sign in with your Ethereum account:',
    '(?<named>0x[0-9a-fA-F]{40})',
    '',
    'I claim the prize of raffle event (?<event>\\d+): place (?<at>\\d+) of [^\\n]+',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: (?<chain>\\d+)',
    'Nonce: [a-zA-Z0-9]{8,}',
    'Issued At: \\S+',
    'Expiration Time: \\S+$',
  ].join('\\n'),
)

/** Whether a message binds this site, this wallet, this chain, this prize, and ends. @internal */
export function isWanted(message: string, { host, wallet, chainId, eventNumber, place }: Wanted): boolean {
  const { domain, named, event, at, uri = '', chain } = form.exec(message)?.groups ?? {}
  return (
    domain === host &&
    named?.toLowerCase() === wallet.toLowerCase() &&
    // Behind a proxy the server may not know that visitors use https.
    (uri === `https://${host}/` || uri === `http://${host}/`) &&
    chain === `${chainId}` &&
    event === `${eventNumber}` &&
    at === `${place}`
  )
}
