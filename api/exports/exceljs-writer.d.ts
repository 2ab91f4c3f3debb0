/** Only the writer: all of exceljs takes three times as long to load, which delays the first byte. */
declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import excel from 'exceljs'

  const writer: typeof excel.stream.xlsx.WorkbookWriter
  export default writer
}
