import { Fragment, type ReactNode } from 'react'

/** A text with elements in place of its {names}. */
export function Trans({ text, ...parts }: { text: string } & Record<string, ReactNode>) {
  return text.split(/\{(\w+)\}/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change order
    <Fragment key={at}>{at % 2 ? parts[part] : part}</Fragment>
  ))
}
