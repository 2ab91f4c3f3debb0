import fc from 'fast-check'
import { inject } from 'vitest'

/** Every property plays the same stories in each run with the same `SEED`. */
fc.configureGlobal({ seed: inject('seed') })
