import type { PublicBranding } from '../../../core/house/branding.ts'
import type { LegalKind } from '../../../core/house/rules.ts'
import { site } from '../content/site.ts'
import type { Lang } from '../texts/index.ts'
import { spoken, still } from '../texts/speak.ts'
import { brandSlots, type Slots } from './slots.ts'

export const siteName = ({ name }: Pick<PublicBranding, 'name'>): string => name ?? site.name

/** What any page that is served says of the site itself; `legal` is the text that it is for, where it is for one. */
export const servedBrand = (
  branding: PublicBranding,
  language: Lang,
  apiBase: string,
  legal?: LegalKind,
): Slots =>
  spoken(language, () => ({
    ...brandSlots(branding, apiBase),
    ...(legal && { 'page-title': `${still().legal[legal]} · ${siteName(branding)}` }),
  }))
