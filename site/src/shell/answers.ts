import type { App } from '../../../api/app.ts'

/** The API as types alone: nothing of the server reaches a browser. */
export type Server = App['routes']
type Routes = Server['~Routes']
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Every path that has this method; what stands for `:id` may be any text. */
export type Path<M extends Method> = PathIn<Routes, M, ''>
type PathIn<Tree, M, Above extends string> = {
  [Name in keyof Tree & string]: Name extends M
    ? Above
    : Name extends Method
      ? never
      : PathIn<Tree[Name], M, `${Above}/${Name extends `:${string}` ? string : Name}`>
}[keyof Tree & string]

export type Answer<M extends Method, P extends string> =
  RouteAt<Routes, P> extends { [Name in M]: { response: infer Answers } }
    ? Answers[keyof Answers & (200 | 201 | 202)]
    : never

export type Body<M extends Method, P extends string> =
  RouteAt<Routes, P> extends { [Name in M]: { body: infer Taken } } ? Taken : never

type RouteAt<Tree, P extends string> = P extends `/${infer Name}/${infer Rest}`
  ? RouteAt<Below<Tree, Name>, `/${Rest}`>
  : P extends `/${infer Name}`
    ? Below<Tree, Name>
    : never
type Below<Tree, Name> = Name extends keyof Tree ? Tree[Name] : Tree[keyof Tree & `:${string}`]
