import { createHash } from 'node:crypto'

export type Places = {
  apiUrl?: string | undefined
  rpcUrls?: readonly string[]
  /** Where visitors fetch a round of the beacon that the server lacks. */
  relays?: readonly string[]
  demoRpcUrl?: string | undefined
  hasWalletConnect?: boolean
}

/** `public` connects to the hosts named here, `closed` to our API alone, `holding` too and holds a preview, `check` to any node. */
export type Kind = 'public' | 'closed' | 'holding' | 'check'

/** Whom the wallet protocol asks: its relay and its own interfaces, and the node that AppKit reads the chain by (eip1193.ts). */
const walletHosts = [
  ...['wss://relay.walletconnect.org', 'https://api.web3modal.org', 'https://pulse.walletconnect.org'],
  ...['https://rpc.walletconnect.org', 'https://verify.walletconnect.org'],
  ...['https://bsc-dataseed.bnbchain.org', 'https://data-seed-prebsc-1-s1.bnbchain.org:8545'],
]

/** `html` with its policy in a meta element; inline scripts and styles are allowed by their hash alone. */
export function withPolicy(html: string, places: Places, kind: Kind): string {
  const trouble = /<[^>]+\s(on[a-z]+|style)\s*=/i.exec(html.replaceAll(inline, ''))
  if (trouble) throw new Error(`A page holds what its policy forbids: ${trouble[0].slice(0, 200)}`)
  const directives = kind === 'check' ? ofCheck(html) : ofPage(html, places, kind)
  const policy = directives
    .map((words) => [...new Set(words.filter(Boolean))].join(' '))
    .filter(Boolean)
    .join('; ')
  const meta = `<meta http-equiv="content-security-policy" content="${policy}">`
  if (!charset.test(html)) throw new Error('A page without a charset has no place for its policy.')
  return html.replace(charset, (found) => found + meta)
}

const ofCheck = (html: string): string[][] => [
  ["default-src 'none'"],
  ["script-src 'self'", ...hashes(html, 'script')],
  // A visitor's own node is often on the same machine.
  ['connect-src https: http://127.0.0.1:* http://localhost:*'],
  ...always,
  ["trusted-types 'none'"],
]

function ofPage(html: string, places: Places, kind: Kind): string[][] {
  const { apiUrl, demoRpcUrl, rpcUrls = [], relays = [] } = places
  const api = originOf(apiUrl)
  const open = kind === 'public'
  const other = open && Boolean(places.hasWalletConnect)
  return [
    ["default-src 'none'"],
    ["script-src 'self'", ...hashes(html, 'script')],
    // The accent colour is a style sheet of the API.
    ["style-src 'self'", api, ...hashes(html, 'style')],
    // A few elements of AppKit carry a style attribute; style elements stay forbidden (appkit-styles.ts).
    other ? ["style-src-attr 'unsafe-inline'"] : [],
    // The typefaces of the first view are inline in the page.
    ["font-src 'self'", open ? 'data:' : ''],
    // Prize images are uploaded to our own API.
    ["img-src 'self' data: blob:", api],
    [
      "connect-src 'self'",
      ...[api, originOf(demoRpcUrl)],
      ...(open ? [...rpcUrls, ...relays].map(originOf) : []),
      ...(other ? walletHosts : []),
    ],
    // The check of a draw, or the preview.
    kind === 'closed' ? [] : ["frame-src 'self'", other ? 'https://verify.walletconnect.org' : ''],
    ...always,
    // Only text that passes through src/shell/trusted.ts becomes elements.
    ['trusted-types blockdraw', other ? "lit-html 'allow-duplicates'" : ''],
  ]
}

const always = [["form-action 'none'"], ["base-uri 'none'"], ["require-trusted-types-for 'script'"]]

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
