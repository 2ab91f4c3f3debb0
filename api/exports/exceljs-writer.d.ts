/** The writer alone: the whole of exceljs takes three times as long to load, and the first byte waits for it. */
declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import excel from 'exceljs'

  const writer: typeof excel.stream.xlsx.WorkbookWriter
  export default writer
}
