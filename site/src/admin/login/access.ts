import { answerOf, api, within } from '../frame/api.ts'

export type Access =
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'allowed' | 'blocked'; ip: string }

/** Whether this visitor's address, as the server sees it, may log in. */
export async function checkAccess(): Promise<Access> {
  try {
    const { allowed, ip } = await answerOf(api['check-access'].get(within(15_000)))
    return { state: allowed ? 'allowed' : 'blocked', ip }
  } catch {
    return { state: 'failed' }
  }
}
