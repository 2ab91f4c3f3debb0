/** First `head` and last `tail` characters around an ellipsis; short texts stay whole. */
export const shorten = (text: string, head: number, tail: number): string =>
  text.length <= head + tail ? text : `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`
