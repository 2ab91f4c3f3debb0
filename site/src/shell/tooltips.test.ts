import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTooltips } from './tooltips.ts'

type Fake = { label?: string; text?: string; isByKeyboard?: boolean }

/** What of an element the tooltips look at. */
const element = ({ label = '', text = '', isByKeyboard = false }: Fake = {}) => ({
  closest(selector: string) {
    if (selector === 'dialog') return null
    return label === '' ? null : this
  },
  ...{ textContent: text, getAttribute: () => label, matches: () => isByKeyboard },
  getBoundingClientRect: () => ({ left: 20, top: 10, bottom: 30, width: 20 }),
})
type Element = ReturnType<typeof element>

const page = Object.assign(new EventTarget(), {
  body: { append: (tip: object) => void tips.add(tip) },
  createElement: () => {
    const tip = {
      textContent: '',
      offsetHeight: 24,
      offsetWidth: 60,
      style: {},
      remove: () => tips.delete(tip),
    }
    return tip
  },
})
const tips = new Set<object>()
const shown = () => [...tips].map((tip) => (tip as { textContent: string }).textContent)
const happen = (name: string, target: Element | typeof page = page, more: object = {}) => {
  const event = Object.assign(new Event(name), more)
  Object.defineProperty(event, 'target', { value: target })
  page.dispatchEvent(event)
}
const close = element({ label: 'Close' })
const copy = element({ label: 'Copy' })
const beside = element()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('innerHeight', 800)
  vi.stubGlobal('innerWidth', 400)
  startTooltips()
})
afterEach(() => {
  happen('pointerdown')
  happen('pointerover', beside)
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an icon is named after 700 ms under the pointer, and the next one within 300 ms at once', () => {
  happen('pointerover', close)
  vi.advanceTimersByTime(699)
  expect(shown()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(new Set(shown())).toEqual(new Set(['Close']))
  happen('pointerover', beside)
  expect(shown()).toEqual([])
  vi.advanceTimersByTime(299)
  happen('pointerover', copy)
  vi.advanceTimersByTime(0)
  expect(shown()).toContain('Copy')
  happen('pointerover', beside)
  vi.advanceTimersByTime(300)
  happen('pointerover', close)
  vi.advanceTimersByTime(699)
  expect(shown()).toEqual([])
})

test('under the keyboard it is named at once, until Escape, a press or the focus goes', () => {
  const focused = element({ label: 'Close', isByKeyboard: true })
  for (const end of [
    () => happen('keydown', page, { key: 'Escape' }),
    () => happen('pointerdown'),
    () => happen('focusout', focused),
    () => happen('scroll'),
  ]) {
    happen('focusin', focused)
    expect(shown()).toContain('Close')
    end()
    expect(shown()).toEqual([])
  }
  happen('focusin', close)
  expect(shown()).toEqual([])
})

test('what has words of its own, and a finger, get none', () => {
  happen('pointerover', element({ label: '0x12…34, disconnect wallet', text: '0x12…34' }))
  happen('pointerover', close, { pointerType: 'touch' })
  vi.advanceTimersByTime(2_000)
  expect(shown()).toEqual([])
})
