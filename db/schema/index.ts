/**
 * All tables, in the order of the process: an event is opened, buyers claim payments, the chain confirms
 * them, a winner is drawn, money is refunded, and administrators supervise it.
 * Times are timestamptz; token amounts are whole units of 10^-18 USDT; hashes and addresses lower case.
 */

export * from './admins.ts'
export * from './draw.ts'
export * from './event.ts'
export * from './house.ts'
export * from './notify.ts'
export * from './payments.ts'
export * from './refunds.ts'
