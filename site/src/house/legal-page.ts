import type { LegalKind } from '../../../core/house/rules.ts'
import { getJson } from '../shell/api.ts'
import { replayEarly } from '../shell/early.ts'
import { fill, lang } from '../texts/index.ts'
import { legalBlocks } from './legal-blocks.ts'

const page = document.querySelector<HTMLElement>('[data-legal-page]') as HTMLElement
const kind = page.dataset.legalPage as LegalKind

page.querySelector('button')?.addEventListener('click', () => void load())
void load()
replayEarly()

async function load(): Promise<void> {
  show('loading')
  try {
    const rules = (await getJson('/api/raffle/rules')).value
    for (const link of document.querySelectorAll<HTMLElement>('[data-legal]'))
      link.hidden = !rules[link.dataset.legal as LegalKind]
    const version = rules[kind]
    if (!version) return show('none')
    const text = (await getJson(`/api/raffle/legal/${version.sha256}`)).value[lang]
    page.querySelector('[data-text]')?.replaceChildren(...legalBlocks(text).map(elementOf))
    const line = page.querySelector<HTMLElement>('[data-version]')
    const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' })
    if (line)
      line.textContent = fill(line.dataset.pattern ?? '', {
        sha256: version.sha256,
        date: `${date.format(new Date(version.savedAt))} (UTC)`,
      })
    show('shown')
  } catch {
    show('failed')
  }
}

function show(state: 'loading' | 'none' | 'failed' | 'shown'): void {
  page.dataset.state = state
  for (const part of page.querySelectorAll<HTMLElement>('[data-if]')) part.hidden = part.dataset.if !== state
}

function elementOf({ kind, text }: ReturnType<typeof legalBlocks>[number]): HTMLElement {
  const element = document.createElement(kind === 'heading' ? 'h2' : 'p')
  element.textContent = text
  return element
}
