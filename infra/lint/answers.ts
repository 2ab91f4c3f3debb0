import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What calls answer and what they name, as JSON schemas of their types: for the OpenAPI document. */
const target = new URL('../../api/server/generated/answers.json', import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))
const named = {
  'core/live/public.ts': ['ErrorBody', 'LiveSnapshot', 'LiveChange', 'LiveBeat'],
  'core/content/read-content.ts': ['ContentForm'],
}
const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root,
)
const program = ts.createProgram([`${root}api/app.ts`], { ...options, noEmit: true })
const checker = program.getTypeChecker()

type Schema = Record<string, unknown>

/** Throws for what JSON does not have, such as a Date. */
function schemaOf(type: ts.Type, where: string): Schema {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
  if (type.flags & ts.TypeFlags.TemplateLiteral) return { type: 'string', pattern: '^0x' }
  if (type.flags & ts.TypeFlags.String) return { type: 'string' }
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  if (type.isUnion()) return schemaOfUnion(type, where)
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    return { type: 'array', items: schemaOf(item as ts.Type, `${where}[]`) }
  }
  if (
    !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) ||
    type.getCallSignatures().length > 0 ||
    type.getProperty('toISOString')
  )
    throw new Error(`${where} is not JSON: ${checker.typeToString(type)}`)
  const any = type.getStringIndexType()
  if (any) return { type: 'object', additionalProperties: schemaOf(any, `${where}{}`) }
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const symbol of type.getProperties()) {
    const own = checker.getTypeOfSymbol(symbol)
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker))
    properties[symbol.name] = {
      ...schemaOf(own, `${where}.${symbol.name}`),
      ...(description && { description }),
    }
    if (!(symbol.flags & ts.SymbolFlags.Optional) && !isUndefined(own)) required.push(symbol.name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

function schemaOfUnion(union: ts.UnionType, where: string): Schema {
  const parts = union.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined))
  const texts = parts.filter((part) => part.isStringLiteral()).map(({ value }) => value)
  const isFlag = parts.filter((part) => part.flags & ts.TypeFlags.BooleanLiteral).length === 2
  const others = parts.filter(
    (part) => !part.isStringLiteral() && !(isFlag && part.flags & ts.TypeFlags.BooleanLiteral),
  )
  const schemas = [
    ...(texts.length > 0 ? [{ type: 'string', enum: texts.sort() }] : []),
    ...(isFlag ? [{ type: 'boolean' }] : []),
    ...others.map((part) => schemaOf(part, where)),
  ].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1))
  return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas }
}

const isUndefined = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined)

function exported(file: string, name: string): ts.Type {
  const source = program.getSourceFile(root + file)
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name)
  if (!symbol) throw new Error(`${file} has no ${name}`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

const property = (type: ts.Type, name: string): ts.Type | undefined => {
  const symbol = type.getProperty(name)
  return symbol && checker.getTypeOfSymbol(symbol)
}

/** Elysia keeps the types of routes as a tree of their paths, which ends in methods. */
function* answersBelow(tree: ts.Type, path = ''): Generator<[string, Schema]> {
  for (const { name } of tree.getProperties()) {
    const inner = property(tree, name) as ts.Type
    const response = methods.has(name) ? property(inner, 'response') : undefined
    const answer = response && property(response, '200')
    if (answer && answer.symbol?.name !== 'Response')
      yield [`${name} ${path}`, schemaOf(answer, `${name} ${path}`)]
    if (!response) yield* answersBelow(inner, `${path}/${name.replace(/^:(.*)/, '{$1}')}`)
  }
}

const routes = property(property(exported('api/app.ts', 'App'), 'routes') as ts.Type, '~Routes') as ts.Type
const lines = (entries: Iterable<[string, Schema]>) =>
  [...entries].map(([name, schema]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schema)}`).join(',\n')
const schemas = Object.entries(named).flatMap(([file, names]) =>
  names.map((name): [string, Schema] => [name, schemaOf(exported(file, name), name)]),
)
const text = `{ "answers": {\n${lines(answersBelow(routes))}\n}, "named": {\n${lines(schemas)}\n} }\n`

/** `bun infra/lint/answers.ts` writes the file, `--check` compares it. */
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${fileURLToPath(target)} is not what the calls answer: bun infra/lint/answers.ts`)
  process.exitCode = 1
}
