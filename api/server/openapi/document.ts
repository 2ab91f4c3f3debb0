import { type Answer, type Call, calls } from './calls.ts'
import * as schemas from './schemas.ts'

/** What any call may be refused with. */
const always = [405, 414, 421, 429, 431, 503]

const reasons: Record<number, string> = {
  400: 'The body is not valid JSON.',
  403: 'The page that asks is of a foreign origin.',
  404: 'There is none.',
  405: 'Another method; Allow names those there are.',
  408: 'The body did not arrive in time.',
  409: 'Not in the present state.',
  413: 'The body is too large.',
  414: 'The address is longer than 8 KiB.',
  415: 'The body is not JSON.',
  421: 'This server does not answer for that host.',
  422: 'A value is not as it should be; `code` says which.',
  429: 'Too many calls; Retry-After says when to come back.',
  431: 'The headers are larger than 16 KiB.',
  503: 'The database cannot be reached or the server is being restarted; see Retry-After.',
}

/** Schemas that are named in the document, by the object they are. */
const names = new Map<unknown, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]))

/** OpenAPI 3.1 of the public calls. `serverUrl` is where they are reached, if not where the document is. */
export function openapiDocument(serverUrl = '/') {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, call] of Object.entries(calls)) {
    const [method = '', path = ''] = name.split(' ')
    const key = path.replace(/:(\w+)/g, '{$1}')
    paths[key] = { ...paths[key], [method.toLowerCase()]: operation(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Blockdraw',
      version: '1',
      description:
        'The public calls of the raffle. Dates are ISO 8601 in UTC, `amount` is hundredths of a USDT. Unknown fields may be added to answers.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { ...schemas },
    },
  }
}

function operation(name: string, { about, more, params = {}, body, answers, refusals = [] }: Call) {
  const refused = [...new Set([...refusals, ...always])].sort()
  return {
    operationId: name
      .replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
      .replace(/^\w+?(?=Api)/, (m) => m.toLowerCase()),
    summary: about,
    ...(more && { description: more }),
    parameters: Object.entries(params).map(([param, description]) => ({
      name: param,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(body) } } },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      ...Object.fromEntries(
        refused.map((status) => [
          status,
          response({ about: reasons[status] ?? '', schema: schemas.ErrorBody }),
        ]),
      ),
    },
  }
}

const response = ({ about, type, schema }: Answer) => ({
  description: about,
  ...(schema && { content: { 'application/json': { schema: reference(schema) } } }),
  ...(type && { content: { [type]: {} } }),
})

const reference = (schema: unknown) => ({ $ref: `#/components/schemas/${names.get(schema)}` })
