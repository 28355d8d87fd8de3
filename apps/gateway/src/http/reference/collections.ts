import { isJson, type Json } from '../openapi-shapes.ts'
import { type Chapter, chaptersOf, type Operation } from './document.ts'

// The API as a collection of requests for Postman and for Bruno, made of the OpenAPI document when it is asked for.

interface CollectionInput {
  readonly document: Json
  readonly publicUrl: string
  readonly isLive: boolean
}

/** One request in the terms that both programs share. `{{name}}` is a variable of the collection. */
interface Request {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly needsToken: boolean
  readonly description: string
  /** The variable that gets a new id before each sending. */
  readonly newId: string | undefined
  /** Its answer has the token that the others send. */
  readonly givesToken: boolean
}

const NAME = 'Tollgate'
const TOKEN_ID = 'createAuthToken'
const CREATES = /^(create|request)/
const PATH_NAME = /\{(\w+)\}/g

/** For Postman: https://schema.postman.com, version 2.1. */
export function postmanCollection(input: CollectionInput): Json {
  return {
    info: {
      name: NAME,
      description: aboutOf(input),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: variablesOf(input).map(([key, value]) => ({ key, value, type: 'string' })),
    item: foldersOf(input, (chapter, requests) => ({
      name: chapter.name,
      description: chapter.description,
      item: requests.map(postmanItem),
    })),
  }
}

function postmanItem({ name, method, url, headers, body, description, ...rest }: Request): Json {
  return {
    name,
    event: [
      ...(rest.newId === undefined
        ? []
        : [postmanEvent('prerequest', `pm.collectionVariables.set('${rest.newId}', ${NEW_ID})`)]),
      ...(rest.givesToken
        ? [postmanEvent('test', `pm.collectionVariables.set('token', pm.response.json().token)`)]
        : []),
    ],
    request: {
      method,
      url,
      description,
      header: headers.map(([key, value]) => ({ key, value })),
      ...(rest.needsToken ? {} : { auth: { type: 'noauth' } }),
      ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

const postmanEvent = (listen: string, line: string): Json => ({
  listen,
  script: { type: 'text/javascript', exec: [line] },
})

/** For Bruno: what its own export writes, in one file. */
export function brunoCollection(input: CollectionInput): Json {
  return {
    name: NAME,
    version: '1',
    items: foldersOf(input, (chapter, requests, index) => ({
      type: 'folder',
      name: chapter.name,
      seq: index + 1,
      items: requests.map((request, place) => brunoItem(request, place + 1)),
    })),
    environments: [
      {
        name: input.isLive ? 'Live' : 'Sandbox',
        variables: variablesOf(input).map(([name, value]) => ({
          name,
          value,
          type: 'text',
          enabled: true,
          secret: SECRETS.has(name),
        })),
      },
    ],
    activeEnvironmentUid: null,
    brunoConfig: { version: '1', name: NAME, type: 'collection' },
  }
}

function brunoItem({ name, method, url, headers, body, description, ...rest }: Request, seq: number): Json {
  return {
    type: 'http-request',
    name,
    seq,
    request: {
      url,
      method,
      docs: description,
      params: [],
      headers: headers.map(([header, value]) => ({ name: header, value, enabled: true })),
      auth: rest.needsToken ? { mode: 'bearer', bearer: { token: '{{token}}' } } : { mode: 'none' },
      body: body === undefined ? { mode: 'none' } : { mode: 'json', json: body },
      script: {
        req: rest.newId === undefined ? '' : `bru.setVar('${rest.newId}', ${NEW_ID})`,
        res: rest.givesToken ? `bru.setVar('token', res.body.token)` : '',
      },
    },
  }
}

/** Unique enough for trying: both programs know it, and neither has the same word for a random id. */
const NEW_ID = `'TRY-' + Date.now()`
const SECRETS: ReadonlySet<string> = new Set(['secret', 'signature', 'token'])

function foldersOf<Folder>(
  { document, isLive }: CollectionInput,
  folderOf: (chapter: Chapter, requests: readonly Request[], index: number) => Folder,
): readonly Folder[] {
  return chaptersOf(document)
    .filter(({ operations }) => operations.length > 0)
    .map((chapter, index) =>
      folderOf(
        chapter,
        chapter.operations.map((each) => requestOf(each, isLive)),
        index,
      ),
    )
}

function requestOf(operation: Operation, isLive: boolean): Request {
  const { id, method, path, summary, description, parameters, body, needsToken } = operation
  const isToken = parameters.some((parameter) => parameter.name === SIGNATURE)
  return {
    name: summary,
    method,
    description,
    needsToken,
    url: `{{baseUrl}}${path.replace(PATH_NAME, '{{$1}}')}`,
    headers: [
      ['X-API-Version', '2'],
      ...(isToken && isLive ? [[SIGNATURE, '{{signature}}'] as const] : []),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body:
      body === undefined
        ? undefined
        : JSON.stringify(isToken ? tokenBody(body.example, isLive) : (body.example ?? {}), null, 2),
    newId: CREATES.test(id) ? [...path.matchAll(PATH_NAME)].at(-1)?.[1] : undefined,
    givesToken: id === TOKEN_ID,
  }
}

const SIGNATURE = 'X-SIGNATURE'
/** The one body whose shape has conditions that no example can be checked against. */
const BY_ACTION = { action: 'PAYIN_CREATE', idPayment: 'ORD-2026-041', timestamp: 1795255200 }

/** In the sandbox a merchant's secret takes the place of a signature and its time (specification 5). */
function tokenBody(example: unknown, isLive: boolean): Json {
  const given: Json = isJson(example) ? example : BY_ACTION
  const { timestamp, operations, ...body } = given
  return {
    ...body,
    merchantCode: '{{merchantCode}}',
    ...(operations !== undefined && { operations: ['GET /.*', 'POST /.*', 'PATCH /.*'] }),
    ...(isLive ? { timestamp } : { secret: '{{secret}}' }),
  }
}

function variablesOf({
  document,
  publicUrl,
  isLive,
}: CollectionInput): readonly (readonly [string, string])[] {
  const own: (readonly [string, string])[] = [
    ['baseUrl', publicUrl],
    ['merchantCode', isLive ? '' : 'DEMO'],
    [isLive ? 'signature' : 'secret', ''],
    ['token', ''],
  ]
  const ofPaths = chaptersOf(document)
    .flatMap(({ operations }) => operations.flatMap(({ parameters }) => parameters))
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, example }) => [name, example] as const)
  return [...own, ...new Map(ofPaths)]
}

const aboutOf = ({ publicUrl, isLive }: CollectionInput): string =>
  isLive
    ? `Requests of ${publicUrl}/docs. Set \`token\`: an SDK requests one, or \`tollgate sign\` makes the signature of a request for one.`
    : `Requests of ${publicUrl}/docs. Set \`secret\` (\`npm start\` prints it), send "Request a token" once, then any other.`
