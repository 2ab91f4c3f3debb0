import { computed } from 'nanostores'
import { site } from '../content/site.ts'
import { applySlots, brandSlots } from '../event/slots.ts'
import { apiBase } from '../shell/api.ts'
import { $live } from './live.ts'

const $branding = computed($live, ({ config }) => config?.branding)

export const brandName = (): string => $branding.get()?.name ?? site.name

export function followBrand(): void {
  let shown = ''
  $branding.subscribe((branding) => {
    const next = JSON.stringify(branding)
    if (!branding || next === shown) return
    shown = next
    applySlots(document, brandSlots(branding, apiBase))
  })
}
