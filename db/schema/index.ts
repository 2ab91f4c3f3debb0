/**
 * All tables, told in the order of the story: an event is opened, somebody claims to have paid, the chain
 * says what was paid, a winner is drawn, money goes back, and administrators watch over it.
 * Times are timestamptz; token amounts are whole units of 10^-18 USDT; hashes and addresses lower case.
 */

export * from './admins.ts'
export * from './draw.ts'
export * from './event.ts'
export * from './payments.ts'
export * from './refunds.ts'
