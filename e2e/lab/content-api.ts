import { sql } from 'drizzle-orm'
import type { openAdminSession } from './admin-api.ts'

/** What an administrator's calls read and save of the open event's content and of the next one's. */
export function contentApi(adminApi: Awaited<ReturnType<typeof openAdminSession>>) {
  const path = '/api/admin/raffle'
  const getNext = async () => (await adminApi.ask('GET', `${path}/next-content`)).body
  const getOpen = async () => (await adminApi.ask('GET', `${path}/content`)).body
  const putNext = (content: unknown, version: number) =>
    adminApi.ask('PUT', `${path}/next-content`, { content, version })
  return {
    ...{ path, getNext, getOpen, putNext },
    putOpen: async (content: unknown, version?: number) =>
      adminApi.ask('PUT', `${path}/content`, { content, version: version ?? (await getOpen()).version }),
    saveNext: async (content: unknown) => putNext(content, (await getNext()).version),
    /** Event 1 ended a moment ago without a ticket. */
    endEvent: () =>
      adminApi.db.execute(sql`update events set sale_start = now() - interval '20 seconds', sale_end = now() - interval '11 seconds',
        draw_date = now() - interval '1 second', frozen_at = now(), ledger_sha256 = '0x00', ledger_lines = 0`),
  }
}
