import type { Answer } from '../../shell/answers.ts'

/** Answers of the administrator's calls, by the names that the tabs use. */
export type AdminConfig = Answer<'get', '/api/admin/raffle/config'>
export type NextTerms = Answer<'get', '/api/admin/raffle/next-terms'>
export type SalesFigures = Answer<'get', '/api/admin/raffle/sales'>
export type AnchorState = Answer<'get', '/api/admin/raffle/anchor'>
export type Pipeline = Answer<'get', '/api/admin/pipeline'>
export type PaymentItem = Answer<'get', '/api/admin/payments'>[number]
export type DrawRecord = Answer<'get', '/api/admin/raffle/history'>[number]
export type RefundRecord = Answer<'get', '/api/admin/refund-history'>[number]
export type SecurityState = Answer<'get', '/api/admin/settings'>
export type Administrator = Answer<'get', '/api/admin/administrators'>[number]
export type PasskeyItem = Answer<'get', '/api/admin/passkeys'>[number]
export type SessionItem = Answer<'get', '/api/admin/sessions'>[number]
export type AuditItem = Answer<'get', '/api/admin/audit'>[number]
export type Channel = Answer<'get', '/api/admin/channels'>[number]
