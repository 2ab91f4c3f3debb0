/** One JSON-RPC call. */
export async function rpc<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
