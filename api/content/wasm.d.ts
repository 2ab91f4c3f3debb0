declare module '@resvg/resvg-wasm/index_bg.wasm' {
  /** Path of the file. */
  const path: string
  export default path
}
