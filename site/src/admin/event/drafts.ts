import { atom } from 'nanostores'
import type { PublicEventSettings } from '../../../../core/public.ts'
import type { AdminConfig } from '../frame/types.ts'
import type { EventDraft } from './event-form.ts'
import type { SettingsDraft } from './settings-form.ts'

/** What was typed and not saved yet: it outlives a look at another tab. */
export const $settingsDraft = atom<Partial<SettingsDraft>>({})
/** The settings as they were when typing began: what is saved since then was somebody else's. */
export const $settingsSeen = atom<AdminConfig | undefined>()
export const $eventDraft = atom<Partial<EventDraft>>({})
export const $eventSeen = atom<PublicEventSettings | undefined>()
