import { bindFacts } from '../live/facts.ts'
import { followPage } from '../live/page-changes.ts'

/** Keeps the page of a running event up to date: its figures as they change, what else it says by loading it anew. */
export function followEvent(eventNumber: number): void {
  bindFacts(eventNumber)
  followPage({ isOld: true })
}
