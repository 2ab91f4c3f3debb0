import type { Answer } from '../../shell/answers.ts'

export type Setup = Answer<'get', '/api/admin/setup'>
export type SetupStep = Setup['steps'][number]['step']

const keyOf = (username: string): string => `blockdraw:setup-away:${username.toLowerCase()}`

/** Whether this administrator has put the list away in this browser. */
export function isPutAway(username: string): boolean {
  try {
    return localStorage.getItem(keyOf(username)) !== null
  } catch {
    return false
  }
}

export function putAway(username: string, isAway: boolean): void {
  try {
    if (isAway) localStorage.setItem(keyOf(username), '1')
    else localStorage.removeItem(keyOf(username))
  } catch {
    // It is open again after the next load.
  }
}
