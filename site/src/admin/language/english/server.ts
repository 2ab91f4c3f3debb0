import { access } from './server/access.ts'
import { event } from './server/event.ts'
import { refund } from './server/refund.ts'
import { values } from './server/values.ts'

/**
 * Sentences of the server to administrators, with a {name} for each value: Korean, as api, db, worker and core have them, to
 * English. What names a field first, as in "amount: …", stands here without it.
 */
export const server: Readonly<Record<string, string>> = { ...access, ...event, ...refund, ...values }
