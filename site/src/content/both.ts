/** A text in both languages; one that is missing does not compile. */
export type Both = { en: string; ko: string }
