/** The type of an import of a `.wasm` file by wrangler. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  // biome-ignore lint/style/noDefaultExport: that is the form wrangler gives it
  export default module
}
