import { bindFacts } from '../live/facts.ts'
import { followPage } from '../live/page-changes.ts'

/** Keeps the page of a running event up to date: its figures as they change, what it says as soon as it is published. */
export function followEvent(eventNumber: number): void {
  bindFacts(eventNumber)
  followPage({ isOld: true })
}
