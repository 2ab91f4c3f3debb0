/** What administrators and their messages are spoken to in. */
export const languages = ['ko', 'en'] as const
export type Language = (typeof languages)[number]
