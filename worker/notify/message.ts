import type { Language } from '../../core/admin/language.ts'
import type { Notice } from '../../core/notify/kinds.ts'
import { noticePath, noticeText } from '../../core/notify/text.ts'

/** A notice in one language; `link` only where the site has an address. */
export type Message = { title: string; text: string; link?: string | undefined }

export const messageOf = (notice: Notice, language: Language, siteUrl: string | undefined): Message => ({
  ...noticeText(notice, language),
  link: siteUrl && new URL(noticePath(notice), siteUrl).href,
})

export const plainText = ({ title, text, link }: Message): string =>
  [title, text, link].filter(Boolean).join('\n')
