import { Engine } from 'mrml';
import { maskMustaches, offsetOf, type Position, positionOf } from '../../../email/index.ts';
import { faultInMjml, type MjmlFault } from './check-mjml.ts';
import { ContentMistake, inPart } from './mistake.ts';
import { findTooDeep } from './nesting.ts';
import { mustachesIn, type Piece, type Shielded, shield } from './shield.ts';
import { findStartTags, findTags } from './start-tags.ts';

/** HTML made from MJML. */
export interface FromMjml {
  html: string;
  /** Whether it holds styles that its author wanted in the tags; the rest of what MJML writes has its own there. */
  hasInlineStyles: boolean;
  /** Where in the MJML the mustache stands that the HTML has at or before a place. */
  sourcePlace(at: Position): Position;
}

type Failure = Extract<ReturnType<Engine['toHtml']>, { type: 'error' }>;

const RULES: Partial<Record<string, string>> = {
  'unexpected-element': 'this element cannot stand here',
  'unexpected-token': 'this cannot stand here',
  'missing-attribute': 'this element lacks an attribute',
  'invalid-attribute': 'this attribute is not valid',
  'invalid-format': 'this is not valid',
  'end-of-stream': 'an element is not closed',
  'no-root-node': 'there is no mjml element',
};

const engine = createEngine();

/** Compiles MJML, whose mustaches stay what they are. */
export function mjmlToHtml(source: string): FromMjml {
  const shielded = inPart('mjml', () => shield(source, mustachesIn(source), misreadIn(source)));
  const refuse = ({ offset, rule }: MjmlFault): never => {
    throw new ContentMistake('mjml', positionOf(source, shielded.unshiftedOffset(offset)), rule);
  };
  const fault = findTooDeep(findTags(shielded.text), 'mjml') ?? faultInMjml(shielded.text);
  if (fault !== null) refuse(fault);
  const result = engine.toHtml(shielded.text);
  if (result.type === 'error') return refuse(faultOf(result, shielded.text));
  refuseLost(source, shielded, result.content);
  const html = shielded.restore(result.content);
  return {
    html,
    hasInlineStyles: result.warnings.some(({ kind }) => kind === 'inline-style-unsupported'),
    sourcePlace: (at) => positionOf(source, shielded.sourceOffset(result.content, offsetOf(html, at))),
  };
}

/** The compiler writes attributes as Rust shows strings, in which only printable ASCII stays what it is. */
function misreadIn(source: string): Piece[] {
  const attributes = findStartTags(maskMustaches(source)).flatMap((tag) => [...tag.attributes.values()]);
  return attributes.flatMap(({ value, valueStart }) =>
    [...value.matchAll(/[^ -~]|["\\]/gu)].map(({ 0: char, index }) => ({
      from: valueStart + index,
      to: valueStart + index + char.length,
      becomes: char === '"' ? '&quot;' : char,
    })),
  );
}

/** Nothing is included, and no fonts are fetched by the readers. */
function createEngine(): Engine {
  const made = new Engine();
  made.setParserOptions({ includeLoader: { type: 'noop' } });
  made.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} });
  return made;
}

function refuseLost(source: string, shielded: Shielded, html: string): void {
  const lost = shielded.lost(html);
  if (lost !== undefined) {
    throw new ContentMistake('mjml', positionOf(source, lost.from), 'MJML keeps no text here; mj-raw or mj-text does');
  }
}

/** The compiler counts bytes, and its messages quote the source, so only the place is taken from them. */
function faultOf(failure: Failure, text: string): MjmlFault {
  if (failure.origin !== 'parser') return { offset: 0, rule: 'this MJML cannot be compiled' };
  const { details } = failure;
  const rule = RULES[details.type] ?? 'this is not valid MJML';
  if ('position' in details) {
    return { offset: Buffer.from(text).subarray(0, details.position.start).toString().length, rule };
  }
  const place = details.type === 'parser-error' ? / at (\d+):(\d+) /.exec(details.source) : null;
  if (place !== null) return { offset: offsetOf(text, { line: Number(place[1]), column: Number(place[2]) }), rule };
  return { offset: details.type === 'end-of-stream' ? text.length : 0, rule };
}
