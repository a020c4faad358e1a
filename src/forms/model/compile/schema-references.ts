import { isPlain, type Plain } from './settings.ts';

/** A schema that leads on further than this is not followed. */
const MOST_STEPS = 8;

/** What references bring into one form, in characters: a short schema could otherwise unfold to one without end. */
const MOST_REFERRED = 1_000_000;

/** The schemas inside a JSON Schema, with what they say by way of others. */
export class SchemaReferences {
  readonly #root: Plain;
  readonly #sizes = new Map<Plain, number>();
  #room = MOST_REFERRED;

  constructor(root: Plain) {
    this.#root = root;
  }

  /** A schema in its own words: its reference to another one followed, and the only way to meet it taken. */
  follow(schema: Plain): Plain {
    let followed = schema;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const next = this.#referred(followed['$ref']) ?? onlyWay(followed);
      if (next === null) return followed;
      const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...own } = followed;
      followed = { ...next, ...own };
    }
    return followed;
  }

  /** What a JSON pointer into the same schema leads to (RFC 6901, section 6); null where that is no schema. */
  #referred(reference: unknown): Plain | null {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return null;
    let found: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isPlain(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    if (!isPlain(found)) return null;
    this.#room -= this.#sizeOf(found);
    return this.#room < 0 ? null : found;
  }

  #sizeOf(schema: Plain): number {
    const size = this.#sizes.get(schema) ?? lengthOf(schema);
    this.#sizes.set(schema, size);
    return size;
  }
}

/** Whether a schema takes null and nothing else, which is no answer. */
export function isNull(schema: unknown): boolean {
  return isPlain(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

/** The one schema that has to be met where only null is beside it. */
function onlyWay(schema: Plain): Plain | null {
  for (const ways of [schema['anyOf'], schema['oneOf'], schema['allOf']]) {
    const [way, ...others] = Array.isArray(ways) ? ways.filter((each) => !isNull(each)) : [];
    if (isPlain(way) && others.length === 0 && !Object.hasOwn(way, 'const')) return way;
  }
  return null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What is nested too deep to be written has no end. */
function lengthOf(schema: Plain): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
