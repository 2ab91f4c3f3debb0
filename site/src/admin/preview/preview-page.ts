import { contentSlots } from '../../event/content-slots.ts'
import { headSlots } from '../../event/head-slots.ts'
import { cardSvg } from '../../event/share/card-svg.ts'
import { applySlots, type Slots, wordsIn } from '../../event/slots.ts'
import type { Lang } from '../../texts/index.ts'
import { type PreviewMessage, pictureUrl, previewMessage, previewReady } from './message.ts'

/** Fills the page with what the administrator types; it asks nobody, and none of its links and buttons does anything. */
const { parent, location } = window
const root = document.documentElement

if (parent !== window) {
  window.addEventListener('message', (event) => {
    const message = previewMessage(event, { origin: location.origin, holder: parent })
    if (!message) return
    const { told, language, theme } = message
    applySlots(document, { ...contentSlots(told, language, { pictureUrl }), ...viewSlots(told, language) })
    if (theme) root.dataset.theme = theme
    else delete root.dataset.theme
    root.dataset.shown = ''
  })
  document.addEventListener('click', (event) => event.preventDefault(), true)
  document.addEventListener('submit', (event) => event.preventDefault(), true)
  parent.postMessage(previewReady, location.origin)
}

function viewSlots(told: PreviewMessage['told'], language: Lang): Slots {
  const head = headSlots(told, { kind: 'event', language })
  const facts = { ...told, state: 'on-sale', drawDate: null, result: null } as const
  return {
    'event-state': wordsIn(language).states['on-sale'],
    ...{ check: '', calendar: '', result: '', 'stub-number': '#1' },
    card: { markup: onPage(cardSvg(facts, language, pictureUrl)) },
    'card-site': location.host,
    'card-title': head['head-title'] ?? '',
    'card-summary': head['head-description'] ?? '',
  }
}

/** The faces have other names on a page than in the printer, and its width is the page's. */
const onPage = (svg: string): string =>
  svg
    .replace(/ width="1200" height="630"/, '')
    .replaceAll('"Pretendard"', '"Pretendard Variable"')
    .replaceAll('"Besley"', '"Besley Variable"')
