import { LONGEST_OUTPUT, MOST_STEPS } from './bounds.ts';
import { asHeaderText, escapeFor } from './escape.ts';
import type { Template } from './parse.ts';
import type { Node, Reference } from './tree.ts';
import { type Frame, isCollection, isTruthy, ownValue, valueOf } from './values.ts';

/** A text, and the sorted paths that were written or entered but are not there. */
export interface Rendered {
  text: string;
  missing: string[];
}

/** Thrown where a rendering would take too many steps or become too long. */
export class RenderLimit extends Error {
  constructor(rule: string) {
    super(rule);
    this.name = 'RenderLimit';
  }
}

type Block = Extract<Node, { kind: 'each' | 'with' }>;

/** How text is written, piece by piece. */
type Encode = (text: string) => string;

/** A template whose own texts are encoded already, so that a rendering has only the values to encode. */
export interface EncodedTemplate extends Template {
  readonly encode: Encode;
}

/** Fills a template in. Values are only ever written, never read as templates. */
export function renderTemplate(template: Template | EncodedTemplate, variables: Record<string, unknown>): Rendered {
  const rendering = new Rendering('encode' in template ? template.encode : null);
  rendering.renderAll(template.nodes, { context: variables, parent: null, loop: null, params: new Map() });
  const text = rendering.pieces.join('');
  return { text: template.kind === 'header' ? asHeaderText(text) : text, missing: [...rendering.missing].toSorted() };
}

/** Encodes the texts of a template once. The encoding must allow pieces to be written one after the other. */
export function encodeTexts(template: Template, encode: Encode): EncodedTemplate {
  return { ...template, nodes: encoded(template.nodes, encode), encode };
}

function encoded(nodes: readonly Node[], encode: Encode): Node[] {
  return nodes.map((node) => {
    if (node.kind === 'value') return node;
    if (node.kind === 'text') return { ...node, text: encode(node.text) };
    return { ...node, body: encoded(node.body, encode), otherwise: encoded(node.otherwise, encode) };
  });
}

class Rendering {
  readonly pieces: string[] = [];
  readonly missing = new Set<string>();
  readonly #encode: Encode | null;
  #steps = 0;
  #bytes = 0;
  #read = 0;

  constructor(encode: Encode | null) {
    this.#encode = encode;
  }

  renderAll(nodes: readonly Node[], frame: Frame): void {
    for (const node of nodes) {
      this.#takeStep();
      if (node.kind === 'text') this.#write(node.text);
      else if (node.kind === 'value') this.#writeValue(node, frame);
      else if (node.kind === 'if') {
        const holds = isTruthy(valueOf(node.condition, frame)) !== node.negated;
        this.renderAll(holds ? node.body : node.otherwise, frame);
      } else this.#renderBlock(node, frame);
    }
  }

  #renderBlock(node: Block, frame: Frame): void {
    const value = valueOf(node.of, frame);
    if (value === undefined) this.#noteMissing(node.of);
    const isEmpty = !isTruthy(value) && (node.kind === 'each' || value !== 0);
    if (isEmpty || (node.kind === 'each' && !this.#renderEach(node, value, frame))) {
      this.renderAll(node.otherwise, frame);
    } else if (node.kind === 'with') {
      this.renderAll(node.body, { context: value, parent: frame, loop: null, params: named(node.params, [value]) });
    }
  }

  /** Renders the body once for each item, and says whether there was any. */
  #renderEach(node: Block, value: unknown, frame: Frame): boolean {
    if (!isCollection(value)) return false;
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const count = keys?.length ?? (value as unknown[]).length;
    for (let index = 0; index < count; index += 1) {
      this.#takeStep();
      const key = keys?.[index] ?? index;
      const context = ownValue(value, String(key));
      const loop = { index, key, first: index === 0, last: index === count - 1 };
      this.renderAll(node.body, { context, parent: frame, loop, params: named(node.params, [context, key]) });
    }
    return count > 0;
  }

  #writeValue(node: Extract<Node, { kind: 'value' }>, frame: Frame): void {
    const text = asText(valueOf(node.of, frame));
    if (text === undefined && node.fallback === null) this.#noteMissing(node.of);
    const value = text || (node.fallback ?? '');
    // Of a long value may be written little or nothing: so what is read is counted too.
    this.#read += value.length;
    if (this.#read > LONGEST_OUTPUT) throw tooLong();
    const written = node.raw && node.place.at === 'text' ? value : escapeFor(node.place, value);
    this.#write(this.#encode === null ? written : this.#encode(written));
  }

  #noteMissing(of: Reference): void {
    if (of.name !== null) this.missing.add(of.name === '' ? 'this' : of.name);
  }

  #takeStep(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new RenderLimit(`a template may take at most ${MOST_STEPS} steps`);
  }

  #write(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > LONGEST_OUTPUT) throw tooLong();
    this.pieces.push(text);
  }
}

function named(params: readonly string[], values: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(params.map((param, i) => [param, values[i]]));
}

/** How a value is written; undefined for what cannot be. */
function asText(value: unknown): string | undefined {
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function tooLong(): RenderLimit {
  return new RenderLimit(`the result, and the values for it, may have at most ${LONGEST_OUTPUT} bytes`);
}
