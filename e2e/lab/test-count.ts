import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line, `N passed, N failed, N skipped`, that scripts can read. */
export default class TestCount implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    let skipped = 0
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      passed += states.filter((state) => state === 'passed').length
      failed += states.filter((state) => state === 'failed').length
      skipped += states.filter((state) => state === 'skipped').length
      // a file that cannot be loaded, or whose hooks fail, has no failed test of its own
      if (module.state() === 'failed' && !states.includes('failed')) failed += 1
    }
    setTimeout(() => console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`))
  }
}
