import { extname, join } from 'node:path'
import { askThreads } from '../../core/server/threads.ts'

export type Question = { hash: string; password: string }

/** Stands beside this file, as source and in the bundle. */
const script = join(import.meta.dirname, `compare-thread${extname(import.meta.filename)}`)
const ask = askThreads<Question>(script, 'A password could not be compared')

/**
 * Compares a password with its argon2 hash on a thread of low priority, so a flood of logins uses only the
 * processor time that visitors leave. The caller bounds how many are compared at once.
 */
export const compare = (hash: string, password: string): Promise<boolean> => ask({ hash, password })
