import type { Page } from 'playwright-core'
import type { Story } from '../../lab/story.ts'

/** The operator's open page, and what the API tells anybody. */
export type Week = {
  page: Page
  story: Story
  /** The answer of a public call, by its path below `/api`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  known: (path: string) => Promise<any>
}
