import { serveSite } from './site-server.ts'

/** The site server as its own process; `start` passes the addresses. */
const {
  SITE_DIR = '',
  SITE_PORT = '0',
  LISTEN_HOST,
  SITE_API_URL = '',
  SITE_BEACON_URL,
  SITE_PROXY_TOKEN = '',
} = process.env
const server = serveSite({
  dir: SITE_DIR,
  port: Number(SITE_PORT),
  hostname: LISTEN_HOST,
  apiUrl: SITE_API_URL,
  beaconUrl: SITE_BEACON_URL || undefined,
  token: SITE_PROXY_TOKEN,
})
process.send?.({ ready: true })

process.once('SIGTERM', async () => {
  await server.stop(true)
  process.exit(0)
})
