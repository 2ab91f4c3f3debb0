type Policy = { createHTML(text: string): unknown }
type Factory = { createPolicy(name: string, rules: { createHTML(text: string): string }): Policy }

const { trustedTypes } = globalThis as { trustedTypes?: Factory }
const policy = trustedTypes?.createPolicy('blockdraw', { createHTML: (text) => text })

/** Markup from our own build, under Trusted Types; browsers without them get the text itself. */
export const trustedMarkup = (text: string): string => (policy?.createHTML(text) ?? text) as string
