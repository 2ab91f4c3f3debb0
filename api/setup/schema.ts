import { Type as t } from '@sinclair/typebox'
import { setupStates, setupSteps } from '../../core/admin/setup.ts'
import { answer, listed } from '../http/answers.ts'

export const setupList = answer({
  isLocal: t.Boolean({
    description: 'A trial beside a chain on this machine, where some of it is not needed.',
  }),
  steps: t.Array(answer({ step: listed(setupSteps), state: listed(setupStates) })),
})
