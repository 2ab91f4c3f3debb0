import { register } from '../../../core/chain/register.ts'
import type { Lie } from './server.ts'

/** Verifiers write addresses in different cases. */
export const isRegister = (filter: unknown): boolean =>
  (filter as { address?: string } | undefined)?.address?.toLowerCase() === register.address.toLowerCase()

export const refuse =
  (...methods: string[]): Lie =>
  (method, params, ask) => {
    if (methods.includes(method)) throw new Error(`the method ${method} does not exist`)
    return ask(method, params)
  }
