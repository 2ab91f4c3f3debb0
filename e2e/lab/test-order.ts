import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { expectedSeconds } from './expected-seconds.ts'
import { inTurn } from './in-turn.ts'

const opensBrowser = /\b(openStory|openBrowser)\(/

/** Starts the longest files first, and stories in a browser one after the other beside the rest. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tasks = (await super.sort(files)).map((file) => ({
      file,
      seconds: expectedSeconds(relative(file.project.config.root, file.moduleId)),
      isHeavy: opensBrowser.test(readFileSync(file.moduleId, 'utf8')),
    }))
    const [first] = files
    return inTurn(tasks, first?.project.config.maxWorkers ?? 1).map(({ file }) => file)
  }
}
