import seconds from './durations.json' with { type: 'json' }

const kept: Readonly<Record<string, number>> = seconds
/** A story in a browser that is not in the list yet. */
const unknownStory = 40

/**
 * What a test file is expected to take: `durations.json` has those of ten seconds or more, as
 * `bun e2e/lab/keep-durations.ts RESULTS` has kept them of a whole run; the many small ones fill the gaps.
 */
export const expectedSeconds = (file: string): number =>
  kept[file] ?? (/^e2e\/[^/]+$/.test(file) ? unknownStory : 0)
