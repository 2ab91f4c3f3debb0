import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { type Places, withPolicy } from './policy.ts'

/** Pages that talk to our own API alone. */
const closed = /^(admin|admin-login|404)(\/|\.html$)/

/** Gives every built page its content security policy, once all that is inline in it is known. */
export const csp = (): AstroIntegration => ({
  name: 'blockdraw:csp',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const root = fileURLToPath(dir)
      for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.html')) continue
        const file = join(root, name)
        const open = !closed.test(name)
        writeFileSync(file, withPolicy(readFileSync(file, 'utf8'), placesOf(process.env), { open }))
      }
    },
  },
})

const placesOf = (env: Record<string, string | undefined>): Places => ({
  apiUrl: env.PUBLIC_API_URL,
  demoRpcUrl: env.PUBLIC_DEMO_RPC_URL,
  rpcUrls: env.PUBLIC_RPC_URLS?.split(',').map((url) => url.trim()) ?? [],
  hasWalletConnect: Boolean(env.PUBLIC_REOWN_PROJECT_ID),
})
