import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { findBatch } from './batch.ts'
import type { Delivery } from './deliver.ts'
import { addEntry, dropEntry, type Journal, type JournalEntry } from './journal.ts'
import type { ClaimedRow, RefundApi } from './types.ts'

type Deps = { provider: Eip1193; api: RefundApi; journal: Journal; pollMs: number }

/** Reports outcomes to the server; what cannot be sent now stays in the journal until the next time. */
export function createReporter({ provider, api, journal, pollMs }: Deps) {
  async function tellWhatIsKnown(): Promise<void> {
    for (const entry of journal.read()) {
      if ('rejected' in entry) {
        if (await api.rejected(entry.rejected).then(yes, no)) dropEntry(journal, entry)
        continue
      }
      // The server keeps the id of a batch, so that any page with this wallet can ask what became of it.
      if ('bundle' in entry && !(await api.bundled(entry.ids, entry.bundle).then(yes, no))) continue
      const hash = 'hash' in entry ? entry.hash : await findBatch(provider, entry.bundle, { everyMs: pollMs })
      const isReported = hash === undefined || (await api.sent(entry.ids, hash).then(yes, no))
      if (isReported) dropEntry(journal, entry)
    }
  }

  return {
    tellWhatIsKnown,
    /** Answers the rows that were handed in. */
    report: async ({ sent, bundle, untouched }: Delivery): Promise<number[]> => {
      const handedIn = [...sent, ...(bundle ? [{ ids: bundle.ids, bundle: bundle.id }] : [])]
      for (const entry of handedIn) addEntry(journal, entry satisfies JournalEntry)
      if (untouched.length > 0) addEntry(journal, { rejected: untouched.map(claimOf) })
      await tellWhatIsKnown()
      return handedIn.flatMap(({ ids }) => ids)
    },
  }
}

/** The claim under which a row was handed out. */
export const claimOf = ({ id, revision }: ClaimedRow) => ({ id, revision })

const yes = () => true
const no = () => false
