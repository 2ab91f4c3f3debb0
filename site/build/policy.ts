import { createHash } from 'node:crypto'

export type Places = {
  /** Address of the API, where it differs from the site's own. */
  apiUrl?: string | undefined
  /** Nodes offered for the check of a draw. */
  rpcUrls?: readonly string[]
  /** The local chain of the Demo Wallet. */
  demoRpcUrl?: string | undefined
  /** Other wallets are offered through WalletConnect. */
  hasWalletConnect?: boolean
}

/**
 * `html` with its content security policy in a meta element, before everything it applies to. Inline scripts
 * and styles of the build are allowed by their hash, and no others. `open` pages may connect to any https
 * address, as the visitor chooses the node that a draw is checked with.
 */
export function withPolicy(html: string, places: Places, { open, frames }: Kind): string {
  const trouble = /<[^>]+\s(on[a-z]+|style)\s*=/i.exec(html.replaceAll(inline, ''))
  if (trouble) throw new Error(`A page holds what its policy forbids: ${trouble[0].slice(0, 200)}`)
  const policy = policyOf(places, {
    open,
    frames,
    scripts: hashes(html, 'script'),
    styles: hashes(html, 'style'),
  })
  const meta = `<meta http-equiv="content-security-policy" content="${policy}">`
  if (!charset.test(html)) throw new Error('A page without a charset has no place for its policy.')
  return html.replace(charset, (found) => found + meta)
}

type Kind = {
  open: boolean
  /** It holds pages of our own. */
  frames?: boolean | undefined
}
type Parts = Kind & { scripts: string[]; styles: string[] }

function policyOf(places: Places, { open, frames, scripts, styles }: Parts): string {
  const { apiUrl, demoRpcUrl, rpcUrls = [] } = places
  const api = originOf(apiUrl)
  const other = open && Boolean(places.hasWalletConnect)
  return [
    ["default-src 'none'"],
    ["script-src 'self'", ...scripts],
    ["style-src 'self'", ...styles],
    // A few elements of AppKit carry a style attribute; style elements stay forbidden (appkit-styles.ts).
    other ? ["style-src-attr 'unsafe-inline'"] : [],
    // The typefaces of the first view are inline in the page.
    ["font-src 'self'", open ? 'data:' : ''],
    // Prize images are uploaded to our own API.
    ["img-src 'self' data: blob:", api],
    [
      "connect-src 'self'",
      api,
      originOf(demoRpcUrl),
      // A visitor's own node is often on the same machine.
      ...(open ? ['https:', 'http://127.0.0.1:*', 'http://localhost:*', ...rpcUrls.map(originOf)] : []),
      ...(other ? ['wss://relay.walletconnect.org', 'wss://relay.walletconnect.com'] : []),
    ],
    frames ? ["frame-src 'self'"] : [],
    other ? ['frame-src https://verify.walletconnect.org https://verify.walletconnect.com'] : [],
    ["form-action 'none'"],
    ["base-uri 'none'"],
    // Only text that passes through src/shell/trusted.ts becomes elements.
    ["require-trusted-types-for 'script'"],
    ['trusted-types blockdraw', other ? "lit-html 'allow-duplicates'" : ''],
  ]
    .map((words) => [...new Set(words.filter(Boolean))].join(' '))
    .filter(Boolean)
    .join('; ')
}

const charset = /<meta charset="?utf-8"?\s*\/?>/i
const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi

function hashes(html: string, element: 'script' | 'style'): string[] {
  const texts = [...html.matchAll(inline)]
    .filter(
      ([, name, attributes = '']) => name === element && !/\ssrc=|application\/(ld\+)?json/.test(attributes),
    )
    .map(([, , , text = '']) => text)
  return [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}

/** Empty for a path on the site itself. */
const originOf = (url: string | undefined): string => (url && URL.canParse(url) ? new URL(url).origin : '')
