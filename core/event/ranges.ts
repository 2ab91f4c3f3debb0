/** What an administrator may type, for the API that judges it and the form that says so. The tables' checks repeat the first two. */
export const minTicketsRange = { min: 1, max: 10_000_000 }
export const claimDaysRange = { min: 7, max: 90 }
export const mostEventNumber = 999_999_999
/** Letters of a text. */
export const mostLetters = {
  passkeyName: 60,
  prizeValue: 100,
  prizeDescription: 5_000,
  tracking: 200,
  correction: 200,
}
