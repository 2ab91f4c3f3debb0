import type { Column } from './workbook.ts'

/** Columns by what they hold, each as wide as its values are. */
export const wallet = (header: string): Column => ({ header, width: 46 })
export const hash = (header: string): Column => ({ header, width: 70 })
/** Units of 10^-18, as text: a spreadsheet would round the number. */
export const units = (header: string): Column => ({ header, width: 26 })
export const word = (header: string, width = 14): Column => ({ header, width })
export const count = (header: string, width = 12): Column => ({ header, width, format: '#,##0' })
/** A number that is a name: without commas. */
export const plain = (header: string, width = 14): Column => ({ header, width, format: '0' })
export const money = (header: string, width = 18): Column => ({ header, width, format: '#,##0.00' })
export const time = (header: string, width = 20): Column => ({
  header,
  width,
  format: 'yyyy-mm-dd hh:mm:ss',
})
