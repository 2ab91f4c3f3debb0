/** On every answer: no sniffing of types, no scripts, no frames, no referrer. */
export const safeHeaders = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Only over https: a local server without it must stay reachable.
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
