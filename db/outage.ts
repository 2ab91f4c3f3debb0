import { causesOf } from '../core/server/time.ts'

const connectionCodes = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  // Shut down, crashed, starting, a statement that took too long, standby after a failover.
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '25006',
  // Disk full, out of memory, too many connections, input or output error.
  '53100',
  '53200',
  '53300',
  '58030',
  // Conflicts that remained after retries.
  '40001',
  '40P01',
  '55P03',
])

/** True when the database is down or overloaded, not when it refuses a query: a retry may succeed later. */
export const isDatabaseOutage = (error: unknown): boolean =>
  causesOf(error).some((cause) => connectionCodes.has(String((cause as { code?: unknown }).code)))
