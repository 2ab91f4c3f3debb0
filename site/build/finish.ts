import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { compressFiles } from './compress.ts'
import { inlineStyles } from './inline-styles.ts'
import { type Places, withPolicy } from './policy.ts'

/** Pages that talk to our own API alone. */
const closed = /^(admin|admin-login|404)(\/|\.html$)/

/**
 * What is left to do once all pages are written: the public ones get their styles, so that the first view needs
 * one answer of the server; each gets the policy that fits what is inline in it; then everything is compressed.
 */
export const finish = (): AstroIntegration => ({
  name: 'blockdraw:finish',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const root = fileURLToPath(dir)
      const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
      const styles = (href: string) => readFileSync(join(root, href), 'utf8')
      for (const name of names.filter((file) => file.endsWith('.html'))) {
        const file = join(root, name)
        const open = !closed.test(name)
        const html = readFileSync(file, 'utf8')
        writeFileSync(
          file,
          withPolicy(open ? inlineStyles(html, styles) : html, placesOf(process.env), { open }),
        )
      }
      await compressFiles(root, names)
    },
  },
})

const placesOf = (env: Record<string, string | undefined>): Places => ({
  apiUrl: env.PUBLIC_API_URL,
  demoRpcUrl: env.PUBLIC_DEMO_RPC_URL,
  rpcUrls: env.PUBLIC_RPC_URLS?.split(',').map((url) => url.trim()) ?? [],
  hasWalletConnect: Boolean(env.PUBLIC_REOWN_PROJECT_ID),
})
