import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { compressFiles } from './compress.ts'
import { inlineStyles } from './inline-styles.ts'
import { checksums, withIntegrity } from './integrity.ts'
import { type Places, withPolicy } from './policy.ts'
import { withPreloads } from './preload.ts'

/** Pages that send requests only to our own API. */
const closed = /^(admin|admin-login|404)(\/|\.html$)/

/**
 * Runs after all pages are written. Public pages get their styles and typefaces inlined, so that the first
 * view needs one response. Every page gets preloads for what its scripts import, the hashes of what it loads,
 * and the policy that fits its inline content. Then every file is listed with its hash, and compressed.
 */
export const finish = (): AstroIntegration => ({
  name: 'blockdraw:finish',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const root = fileURLToPath(dir)
      const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
      const read = (name: string) => readFileSync(join(root, name))
      const built = readdirSync(join(root, '_astro'))
      for (const name of names.filter((file) => file.endsWith('.html'))) {
        const file = join(root, name)
        const open = !closed.test(name)
        const html = readFileSync(file, 'utf8')
        const loading = withPreloads(open ? inlineStyles(html, read) : html, read)
        const strict = withIntegrity(loading, { read, names: built })
        writeFileSync(file, withPolicy(strict, placesOf(process.env), { open }))
      }
      const files = names.filter((name) => statSync(join(root, name)).isFile())
      writeFileSync(join(root, 'sha256sums.txt'), checksums(files, read))
      await compressFiles(root, [...names, 'sha256sums.txt'])
    },
  },
})

const placesOf = (env: Record<string, string | undefined>): Places => ({
  apiUrl: env.PUBLIC_API_URL,
  demoRpcUrl: env.PUBLIC_DEMO_RPC_URL,
  rpcUrls: env.PUBLIC_RPC_URLS?.split(',').map((url) => url.trim()) ?? [],
  hasWalletConnect: Boolean(env.PUBLIC_REOWN_PROJECT_ID),
})
