/** On every answer: what it is, it is; nothing of it runs, frames it or hears where the visitor came from. */
export const safeHeaders = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Only told over https: a local start without it must stay reachable.
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
