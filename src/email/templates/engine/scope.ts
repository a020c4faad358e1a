import { mistakeOf, type ParsedPath } from './parser-nodes.ts';
import type { LoopField, Reference } from './tree.ts';

/** What the names inside a block mean, as far as the template alone tells. */
export interface Scope {
  /** The path of the current context; empty at the root. */
  name: string;
  parent: Scope | null;
  isLoop: boolean;
  /** The block's own names; null for the one that holds an index. */
  params: ReadonlyMap<string, string | null>;
}

export const ROOT_SCOPE: Scope = { name: '', parent: null, isLoop: false, params: new Map() };

const LOOP_FIELDS = new Set(['index', 'first', 'last', 'key']);

/** Says what a path means where it stands, or refuses it. */
export function resolve(path: ParsedPath, scope: Scope): Reference {
  const keys = path.parts.filter((part) => typeof part === 'string');
  if (keys.length !== path.parts.length) throw mistakeOf(path, 'subexpressions are not supported');
  if (path.original.includes('.#')) throw mistakeOf(path, 'private names are not supported');
  if (path.data) return resolveData(path, keys, scope);
  const [first = '', ...rest] = keys;
  const owner = path.depth > 0 || /^(\.|this\b)/.test(path.original) ? null : ownerOf(first, scope);
  if (owner !== null) {
    const name = owner.params.get(first) ?? null;
    return { from: 'param', param: first, keys: rest, name: name === null ? null : nameOf(name, rest) };
  }
  const base = climb(path, scope);
  return { from: 'context', up: path.depth, keys, name: nameOf(base.name, keys) };
}

/** The scope inside `#each` or `#with`. */
export function inner(scope: Scope, kind: 'each' | 'with', of: Reference, params: readonly string[]): Scope {
  const name = `${of.name ?? '@key'}${kind === 'each' ? '[]' : ''}`;
  const [item, index] = params;
  const names = new Map<string, string | null>();
  if (index !== undefined) names.set(index, null);
  if (item !== undefined) names.set(item, name);
  return { name, parent: scope, isLoop: kind === 'each', params: names };
}

function resolveData(path: ParsedPath, keys: string[], scope: Scope): Reference {
  const [field = '', ...rest] = keys;
  if (field === 'root' && path.depth === 0) return { from: 'root', keys: rest, name: nameOf('', rest) };
  if (!LOOP_FIELDS.has(field) || rest.length > 0) {
    throw mistakeOf(path, 'of the @ names only @index, @first, @last, @key and @root are supported');
  }
  if (loopsAround(scope) <= path.depth) throw mistakeOf(path, 'this @ name stands outside #each');
  return { from: 'loop', up: path.depth, field: field as LoopField, keys: [], name: null };
}

function loopsAround(scope: Scope): number {
  let loops = 0;
  for (let at: Scope | null = scope; at !== null; at = at.parent) loops += at.isLoop ? 1 : 0;
  return loops;
}

function ownerOf(param: string, scope: Scope): Scope | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (at.params.has(param)) return at;
  return null;
}

function climb(path: ParsedPath, scope: Scope): Scope {
  let at: Scope = scope;
  for (let up = path.depth; up > 0; up -= 1) {
    if (at.parent === null) throw mistakeOf(path, '../ leaves the outermost context');
    at = at.parent;
  }
  return at;
}

function nameOf(base: string, keys: readonly string[]): string {
  const shown = keys.map((key) => (/[.[\]]/.test(key) ? `[${key}]` : key));
  return (base === '' ? shown : [base, ...shown]).join('.');
}
