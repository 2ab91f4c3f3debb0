import { ask, readAnswer } from '../frame/api.ts'
import type { Access } from './Login.tsx'

/** Whether this visitor's address, as the server sees it, may log in. */
export async function checkAccess(): Promise<Access> {
  try {
    const { allowed, ip } = await readAnswer<{ allowed: boolean; ip: string }>(
      await ask('GET', '/api/admin/check-access', { timeoutMs: 15_000 }),
    )
    return { state: allowed ? 'allowed' : 'blocked', ip }
  } catch {
    return { state: 'failed' }
  }
}
