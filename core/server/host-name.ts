/**
 * The name in a Host header, lower case, without port, brackets and final dot; undefined if it is malformed.
 */
export function hostNameOf(host: string): string | undefined {
  const [, v6, name, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{1,5}))?$/i.exec(host) ?? []
  const found = (v6 ?? name)?.toLowerCase().replace(/\.$/, '')
  // What no URL can hold is no host either, such as [::::] or 1.2.3.999.
  const isWhole = found && Number(port ?? 0) <= 65_535 && URL.canParse(`http://${v6 ? `[${found}]` : found}/`)
  return isWhole ? found : undefined
}
