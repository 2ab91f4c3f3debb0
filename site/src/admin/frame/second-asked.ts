import { atom } from 'nanostores'

/** Goes up when a call was refused for want of a second person's word: a question of one's own is open then. */
export const $secondAsked = atom(0)
