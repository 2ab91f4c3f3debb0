import { isClosing } from './child.ts'

const color = process.stdout.isTTY === true && !process.env.NO_COLOR
const paint = (code: string) => (text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = paint('1')
/** @internal */
export const faint = paint('2')
const green = paint('32')
const red = paint('31')

/** Runs one step of the start and prints one line about it, with its duration. */
export async function step<T>(title: string, act: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  const time = () => faint(`${((performance.now() - began) / 1000).toFixed(2)} s`)
  try {
    const result = await act()
    console.log(`${green('ok')}  ${title}  ${time()}`)
    return result
  } catch (error) {
    // failures are expected while everything is being stopped
    if (!isClosing()) console.log(`${red('no')}  ${title}  ${time()}`)
    throw error
  }
}
