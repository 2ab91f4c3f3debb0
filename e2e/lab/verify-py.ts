/** The second verifier. */
export const verifyPy = new URL('../../infra/cli/verify.py', import.meta.url).pathname

const driver = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("verify", sys.argv[1])
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)
def read(value):
    return bytes.fromhex(value[2:]) if isinstance(value, str) and value[:2] == "0x" else value
def write(value):
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return [write(each) for each in value] if isinstance(value, tuple) else str(value)
for name, values in json.load(sys.stdin):
    try:
        print(json.dumps(write(getattr(verify, name)(*map(read, values)))))
    except ValueError as error:
        print(json.dumps(str(error)))
`

/** What its functions answer, in one process: bytes in hexadecimal, numbers in decimals, or what was refused. */
export async function askPython(
  calls: readonly (readonly [name: string, ...values: unknown[]])[],
): Promise<unknown[]> {
  const questions = calls.map(([name, ...values]) => [name, values])
  const { code, text } = await runPython(['-c', driver, verifyPy], JSON.stringify(questions))
  if (code !== 0) throw new Error(text)
  return parseLines(text)
}

export type PyAnswer = {
  id: string
  verdict: string
  steps: Record<string, string>
  texts: Record<string, string>
}

/** Runs without stopping the servers of the test; `text` is what it printed, errors last. */
export async function runPython(
  args: readonly string[],
  input = '',
): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(['python3', '-B', ...args], {
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, told, wrong] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code, text: told + wrong }
}

const parseLines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
