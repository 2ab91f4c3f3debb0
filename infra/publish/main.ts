import { keepPublished } from './keep-published.ts'

/** The publisher as its own process. It reads the public API alone and writes one directory. */
const {
  PUBLISH_SITE = '/pages',
  PUBLISH_OUT = '/published',
  PUBLISH_API_URL = 'http://api:3000',
  PUBLISH_LEVEL = 'best',
  PUBLISH_FIRST_WAIT_MS = '10000',
  PUBLIC_SITE_URL,
  PUBLIC_API_URL,
} = process.env

const publishing = await keepPublished({
  dir: PUBLISH_SITE,
  out: PUBLISH_OUT,
  apiUrl: PUBLISH_API_URL,
  siteUrl: PUBLIC_SITE_URL || undefined,
  apiBase: PUBLIC_API_URL?.replace(/\/$/, '') || undefined,
  level: PUBLISH_LEVEL === 'quick' ? 'quick' : 'best',
  firstWaitMs: Number(PUBLISH_FIRST_WAIT_MS),
  log: (line) => console.log(line),
})
process.send?.({ ready: true })

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await publishing.stop()
    process.exit(0)
  })
