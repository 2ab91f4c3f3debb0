/** Times are timestamptz, token amounts units of 10^-18 USDT, hashes and addresses in lower case. */

export * from './admins.ts'
export * from './draw.ts'
export * from './event.ts'
export * from './house.ts'
export * from './notify.ts'
export * from './payments.ts'
export * from './refunds.ts'
