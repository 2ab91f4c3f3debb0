import { atom } from 'nanostores'
import type { EventDraft } from '../lib/event-form.ts'
import type { SettingsDraft } from '../lib/settings-form.ts'

/** What was typed and not saved yet: it outlives a look at another tab. */
export const $settingsDraft = atom<Partial<SettingsDraft>>({})
export const $eventDraft = atom<Partial<EventDraft>>({})
