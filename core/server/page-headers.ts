/** Headers of every page and file of the site on any host. The rest of the policy is in the pages. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'", // the rest is in the pages, which know their hashes
  // A script that a page has no hash for is not run. Chromium knows no such rule for style sheets yet.
  'integrity-policy': 'blocked-destinations=(script)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}
