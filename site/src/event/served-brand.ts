import type { PublicBranding } from '../../../core/house/branding.ts'
import type { LegalKind } from '../../../core/house/rules.ts'
import { site } from '../content/site.ts'
import { fill } from '../texts/fill.ts'
import { type Lang, t } from '../texts/index.ts'
import { spoken, still } from '../texts/speak.ts'
import type { Slots } from './slots.ts'
import { html } from './slots.ts'

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

/** The site itself, as saved, else as built. `apiBase` is the API's origin, empty where it is the site's own. */
export function brandSlots(branding: PublicBranding, apiBase = ''): Slots {
  const { logo, theme } = branding
  const name = branding.name ?? site.name
  const email = branding.supportEmail ?? site.supportEmail
  return {
    'brand-name': name,
    'brand-home': fill(t.facts.home, { name }),
    'brand-logo': logo
      ? html`<img class="mark-logo" src="${`${apiBase}/api/uploads/${logo.key}`}" width="${logo.width}" height="${logo.height}" alt="${name}">`
      : '',
    'brand-drawn': logo ? '' : 'yes',
    'support-email': email,
    'support-href': `mailto:${email}`,
    'social-name': branding.socialName ?? site.socialName,
    'social-href': secure(branding.socialUrl) ?? site.socialUrl,
    'shop-href': secure(branding.shopUrl) ?? site.shopUrl,
    copyright: branding.copyright ?? site.copyright,
    'theme-href': theme ? `${apiBase}/theme.css?v=${theme}` : '',
    'theme-rel': theme ? 'stylesheet' : '',
  }
}

/** No address that runs something, whoever wrote it. */
const secure = (url: string | null): string | undefined => (url && /^https:\/\//i.test(url) ? url : undefined)
