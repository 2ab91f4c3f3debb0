import { contentLimits as most } from '../../core/content/event-content.ts'
import { aContent, aPrize } from './content.ts'

const samples = {
  en: 'A quiet box with two fans that mines by day and warms a room at night. ',
  ko: '조용하고작은채굴기와접는휴대전화와상금과자전거'.repeat(3),
}

/** Every text as long as may be: English of words, Korean without a place to break. Sixteen pictures at most, as many as are given. */
export function longestContent(keys: readonly string[] = []) {
  const said = (length: number) => ({
    en: full(samples.en, length),
    ko: full(samples.ko, length),
  })
  const lines = (length: number) => {
    const { en, ko } = said(length)
    return { en: Array(3).fill(en).join('\n'), ko: Array(3).fill(ko).join('\n') }
  }
  const prize = (copies: number, pictures: readonly string[]) =>
    aPrize({
      ...{ name: said(most.name), value: full('$1,234,567.89 each ', most.value), copies },
      about: said(most.about),
      facts: Array.from({ length: most.facts }, () => ({
        ...{ name: said(most.factName), value: said(most.factValue) },
      })),
      pictures: pictures.map((key) => ({ key, alt: said(most.alt) })) as never,
    })
  return aContent({
    ...{ title: lines(most.titleLine), lead: said(most.lead), summary: said(most.summary) },
    prizes: [prize(1, keys.slice(0, most.pictures)), prize(2, keys.slice(most.pictures))],
    shipping: said(most.shipping),
    links: Array.from({ length: most.links }, () => ({
      label: said(most.label),
      url: `https://maker.example/${'a'.repeat(200)}`,
    })),
  })
}

const full = (sample: string, length: number): string =>
  `${[...sample.repeat(Math.ceil(length / [...sample].length))].slice(0, length - 1).join('')}.`
