import { rateLimit } from '../http/rate-limit.ts'

const refusals = 1_000
const inSeconds = 600

/**
 * Counts refused calls without a session by address. Each adds an audit row, so one address must not fill
 * the table: from the 1,001st in 10 minutes on it gets RATE_LIMITED without a query.
 */
export const refusalCounter = (now?: () => number) =>
  rateLimit(
    {
      burst: refusals,
      perSecond: refusals / inSeconds,
      text: '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.',
    },
    now,
  )
