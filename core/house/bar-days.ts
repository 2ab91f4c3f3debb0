/** For how many days a wallet can bar itself. */
export const barDays = [1, 7, 30] as const
export type BarDays = (typeof barDays)[number]

/** How the statement begins, for each number of days; a page lays nothing else before the visitor to sign. */
export const barSentence = (days: BarDays): string =>
  `I take a break of ${days} ${days === 1 ? 'day' : 'days'} from buying tickets here.`
