/// <reference types="astro/client" />
interface ImportMetaEnv {
  /** Address of the API; empty where the site's own server passes /api on. */
  readonly PUBLIC_API_URL?: string
  /** Set at build time to block buying if the API ever names another wallet. */
  readonly PUBLIC_OPERATOR_WALLET?: string
  /** Token that buys tickets; compiled in, so that the API cannot name another. */
  readonly PUBLIC_USDT_ADDRESS?: string
  /** Chain of the raffle; 56 where it is not set. */
  readonly PUBLIC_CHAIN_ID?: string
  /** RPC address of the local chain; only set by `bun run start`, never in production builds. */
  readonly PUBLIC_DEMO_RPC_URL?: string
  /** Path of the local beacon with its chain hash; only set by `bun run start`, never in production builds. */
  readonly PUBLIC_LOCAL_BEACON_URL?: string
  /** Key of the local chain's own beacon; no build for others has it. */
  readonly PUBLIC_LOCAL_BEACON_KEY?: string
  /** Project of Reown: other wallets are offered where it is set. */
  readonly PUBLIC_REOWN_PROJECT_ID?: string
  /** Keyless nodes for the check of a draw, comma between them; the first is offered. */
  readonly PUBLIC_RPC_URLS?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

declare module '*.svg?raw' {
  const text: string
  export default text
}
