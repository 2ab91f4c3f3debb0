import { causesOf } from '../core/server/time.ts'

/** `lock_timeout`, or a deadlock that this one was chosen to end. */
export const isLocked = (error: unknown): boolean =>
  causesOf(error).some((cause) => ['55P03', '40P01'].includes(String((cause as { code?: unknown }).code)))
