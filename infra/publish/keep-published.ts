import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles, type Level } from '../../site/build/compress.ts'
import { followChanges } from './follow.ts'
import { Publisher, type PublisherOptions } from './publisher.ts'
import { forgetBroken, keptPictures, release, served } from './release.ts'

type Options = Omit<PublisherOptions, 'pictureDir'> & {
  out: string
  level?: Level
  /** How long the first publication waits for pictures for shared links; those that are late follow in the next. */
  firstWaitMs?: number
  /** How often everything is looked at, whatever is heard. */
  lookMs?: number
}

const settleMs = 200
const retryMs = 5_000
/** How long changed pages wait for their pictures for shared links, which follow a moment later else. */
const pictureMs = 1_000
/** Of two APIs one tells of a change, and the other may answer: it is asked again until it must know too. */
const againMs = [3_000, 12_000]

export type Publishing = { stop: () => Promise<void> }

/**
 * Keeps what the web server reads right. Resolves once something is served: with the API's answers, or, where it cannot be
 * reached and nothing was served before, the built pages as they are. What fails is said and tried again; what is served stays.
 */
export async function keepPublished(options: Options): Promise<Publishing> {
  const { out, dir, apiUrl, level, log = () => {}, firstWaitMs = 10_000, lookMs = 60_000 } = options
  const publisher = new Publisher({
    ...options,
    pictureDir: join(out, keptPictures),
    former: join(out, 'current'),
  })
  const end = new AbortController()
  const wake = wakeUp()
  // Pages are served at once, and as small as can be a moment later.
  const lay = { site: dir, out, level: level === 'quick' ? ('quick' as const) : ('soon' as const) }
  let rough: string[] = []

  const publish = async (how: { all?: boolean; waitMs?: number }): Promise<boolean> => {
    try {
      const { files, isComplete } = await publisher.files(how)
      const done = await release({ ...lay, files })
      if (done) log(`The pages ${done.name} are served.`)
      if (done && level !== 'quick') rough = [...new Set([...rough, ...done.fresh])]
      return isComplete
    } catch (error) {
      log(`The pages were not published, those that are served stay: ${error}`)
      return false
    }
  }

  forgetBroken(out)
  let isDone = await publish({ all: true, waitMs: firstWaitMs })
  if (!served(out, 'current')) {
    await release({ ...lay, files: new Map() })
    log('The pages are served as they were built.')
  }

  /** Ends early where somebody calls: the rest is done after the next publication. */
  const refine = async (): Promise<void> => {
    while (rough.length > 0 && !wake.isCalled() && !end.signal.aborted) {
      const [name, ...rest] = rough as [string, ...string[]]
      const current = join(out, 'current')
      if (existsSync(join(current, name))) await compressFiles(realpathSync(current), [name], 'best')
      rough = rest
    }
  }

  const following = followChanges({ apiUrl, signal: end.signal, onChange: wake.up })
  const keeping = (async () => {
    let lookedAt = Date.now()
    let again: number[] = []
    while (!end.signal.aborted) {
      await refine().catch((error) => log(`The pages stay larger than they could be: ${error}`))
      const [soon = lookMs, ...later] = again
      const isCalled = await wake.within(isDone ? Math.min(soon, lookMs) : retryMs, end.signal)
      if (end.signal.aborted) return
      again = isCalled ? againMs : later
      // Several changes of one moment are published together.
      if (isCalled) await new Promise((resolve) => setTimeout(resolve, settleMs))
      const all = Date.now() - lookedAt >= lookMs
      if (all) lookedAt = Date.now()
      isDone = await publish({ all, waitMs: pictureMs })
    }
  })()
  return {
    stop: async () => {
      end.abort()
      await Promise.allSettled([following, keeping])
      publisher.stop()
    },
  }
}

/** A call that comes before anybody waits is kept. */
function wakeUp() {
  let isCalled = false
  let resolve: () => void = () => {}
  return {
    up: () => {
      isCalled = true
      resolve()
    },
    isCalled: () => isCalled,
    /** True if it was called. */
    within: async (ms: number, signal: AbortSignal): Promise<boolean> => {
      if (!isCalled && !signal.aborted)
        await new Promise<void>((done) => {
          const timer = setTimeout(done, ms)
          resolve = () => {
            clearTimeout(timer)
            done()
          }
          signal.addEventListener('abort', resolve, { once: true })
        })
      const called = isCalled
      isCalled = false
      return called
    },
  }
}
