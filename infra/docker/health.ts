import { exit } from 'node:process'

/** `bun health.js URL`: for the health checks of containers that have no other client. */
const url = process.argv[2] ?? 'http://127.0.0.1:3000/api/ready'
const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
exit(answer?.ok ? 0 : 1)
