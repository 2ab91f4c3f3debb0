import { atom } from 'nanostores'
import type { PublicEventSettings } from '../../../../core/live/public.ts'
import type { AdminConfig, NextTerms } from '../session/types.ts'
import type { EventDraft } from './event-form.ts'
import type { NextDraft } from './next-form.ts'
import type { SettingsDraft } from './settings-form.ts'

/** Edits that are not saved yet; they survive a change of tab. */
export const $settingsDraft = atom<Partial<SettingsDraft>>({})
/** The settings as they were when editing began: another administrator made any later change. */
export const $settingsSeen = atom<AdminConfig | undefined>()
export const $eventDraft = atom<Partial<EventDraft>>({})
export const $eventSeen = atom<PublicEventSettings | undefined>()
export const $nextDraft = atom<Partial<NextDraft>>({})
export const $nextSeen = atom<NextTerms | undefined>()
