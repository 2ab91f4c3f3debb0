type Policy = { createHTML(text: string): unknown }
type Factory = { createPolicy(name: string, rules: { createHTML(text: string): string }): Policy }

const { trustedTypes } = globalThis as { trustedTypes?: Factory }
const policy = trustedTypes?.createPolicy('blockdraw', { createHTML: (text) => text })

/**
 * Markup that our own build wrote. Pages are served with Trusted Types: a text that did not pass here cannot
 * become elements. Browsers that do not know them take the text itself.
 */
export const trustedMarkup = (text: string): string => (policy?.createHTML(text) ?? text) as string
