import { type Node, placeInSource, type Reference, type Template, TemplateMistake } from '../../../email/index.ts';
import type { FieldClass } from '../../fields/field-type.ts';
import { loadingStyles, writtenOut } from './loading-styles.ts';
import { UNSUBSCRIBE_URL } from './reserved-names.ts';

/** What a field says about a person, by its name. */
export type ClassOf = (field: string) => FieldClass;

/** A line that shows before the mail is opened, or the body. */
export type PartKind = 'preview' | 'body';

type Mustache = Exclude<Node, { kind: 'text' }>;

interface Around {
  /** The PHI field on which it depends whether this is shown. */
  dependsOn: string | null;
  /** Whether what was written last is a URL, in text, where mail programs make it a link. */
  inUrl: boolean;
}

/** What mail programs take for the beginning of an address on the web, and so for a link; or of any. */
const WEB_BEGINS =
  /:\/\/|www\.|\.[a-z]{2,63}\/|(?<![@\w.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|info|io|co|us|uk|ca|au|de|fr|es|it|nl|ch|at|eu|health|care|clinic)\b/i;
const URL_BEGINS = /:\/\/|www\.|\.[a-z]{2,63}\/|mailto:/i;
/** What makes an address of what stands before it. */
const GOES_ON_AS_URL = /^[^\s<>"']*(?::\/\/|\.[a-z0-9-]+\.[a-z]{2,63}\b|\.[a-z]{2,63}\/)/i;
const URL_ENDS = /[\s<>"']/;
/** Styles load pictures by what stands in any attribute, forms send values, and a title shows before the mail is opened. */
const IN_TEXT: ReadonlySet<string> = new Set(['text', 'plain', 'header']);
const LOADING_STYLE = /url\s*\(|image-set|@import/i;

/** Refuses protected health information where others than the reader would learn it. */
export function refusePhi(template: Template, part: PartKind, classOf: ClassOf): void {
  new PhiCheck(template, part, classOf).visitAll(template.nodes, { dependsOn: null, inUrl: false });
}

/** Whether a template says or depends on protected health information. */
export function usesPhi({ nodes }: Template, classOf: ClassOf): boolean {
  return nodes.some((node) => {
    if (node.kind === 'text') return false;
    if (phiFieldOf(node, classOf) !== null) return true;
    if (node.kind === 'value') return false;
    return [node.body, node.otherwise].some((nested) => usesPhi({ nodes: nested } as Template, classOf));
  });
}

class PhiCheck {
  readonly #template: Template;
  readonly #part: PartKind;
  readonly #classOf: ClassOf;
  /** Whether styles of the mail load something for a piece of it. */
  readonly #loads: (html: string) => boolean;
  /** The block around that depends on PHI. */
  #block: Mustache | null = null;

  constructor(template: Template, part: PartKind, classOf: ClassOf) {
    this.#template = template;
    this.#part = part;
    this.#classOf = classOf;
    this.#loads = template.kind === 'html' ? loadingStyles(writtenOut(template.nodes)) : () => false;
  }

  /** Says whether a URL is what was written last. */
  visitAll(nodes: readonly Node[], around: Around): boolean {
    let { inUrl } = around;
    let before: Mustache | null = null;
    for (const node of nodes) {
      if (node.kind === 'text') {
        this.#visitText(node, around.dependsOn);
        if (before !== null && GOES_ON_AS_URL.test(node.text)) this.#refuseBefore(before);
        before = null;
        inUrl = endsInUrl(node.text, inUrl);
      } else {
        before = node;
        this.#visitMustache(node, { ...around, inUrl });
        if (node.kind !== 'value') inUrl = this.#visitBranches(node, { ...around, inUrl });
      }
    }
    return inUrl;
  }

  #visitText({ text, leadsOut }: Extract<Node, { kind: 'text' }>, dependsOn: string | null): void {
    if (dependsOn === null || this.#block === null) return;
    if (leadsOut || WEB_BEGINS.test(text) || (this.#template.kind === 'html' && LOADING_STYLE.test(text))) {
      this.#refuseDepending(this.#block, dependsOn);
    }
  }

  #visitMustache(node: Mustache, { dependsOn, inUrl }: Around): void {
    const isUrl = inUrl || (node.place !== null && 'url' in node.place && node.place.url !== null);
    if (dependsOn !== null && node.kind === 'value' && (isUrl || node.of.name === UNSUBSCRIBE_URL)) {
      this.#refuseDepending(node, dependsOn);
    }
    const field = phiFieldOf(node, this.#classOf);
    if (field === null) return;
    if (this.#part === 'preview') this.#refuse(node, `${field} is PHI, which would show before the mail is opened`);
    if (isUrl) this.#refuse(node, `${field} is PHI, which a URL would tell to others`);
    if (node.place === null) this.#refuse(node, `${field} is PHI, on which only text can depend`);
    if (!IN_TEXT.has(node.place.at))
      this.#refuse(node, `${field} is PHI, which may stand in the text of the body only`);
  }

  #visitBranches(node: Exclude<Mustache, { kind: 'value' }>, around: Around): boolean {
    const outer = this.#block;
    const field = phiFieldOf(node, this.#classOf);
    if (field !== null) {
      this.#block = node;
      if (this.#loads(writtenOut([node]))) this.#refuseDepending(node, field);
    }
    const inside = { ...around, dependsOn: field ?? around.dependsOn };
    const ends = [node.body, node.otherwise].map((nodes) => this.visitAll(nodes, inside));
    this.#block = outer;
    return ends.includes(true);
  }

  /** Refuses health data that an address begins with. */
  #refuseBefore(node: Mustache): void {
    const field = phiFieldOf(node, this.#classOf);
    if (field !== null) this.#refuse(node, `${field} is PHI, which a URL would tell to others`);
  }

  #refuseDepending(node: Mustache, field: string): never {
    this.#refuse(node, `a link or picture cannot depend on ${field}, which is PHI`);
  }

  #refuse(node: Mustache, rule: string): never {
    throw new TemplateMistake(placeInSource(this.#template, node), rule);
  }
}

/** Whether the last word of a text is a URL, or goes on with the one before it. */
function endsInUrl(text: string, beganInUrl: boolean): boolean {
  let start = text.length;
  while (start > 0 && !URL_ENDS.test(text.charAt(start - 1))) start -= 1;
  return (start === 0 && beganInUrl) || URL_BEGINS.test(text.slice(start));
}

/** The PHI field that a mustache looks up, if it does. */
function phiFieldOf(node: Mustache, classOf: ClassOf): string | null {
  const of = node.kind === 'if' ? node.condition : node.of;
  if (of.from === 'literal' || of.name === null) return null;
  const field = fieldOf(of);
  // The person as a whole is always there and is never written; a loop over it goes through every field.
  if (field === null) return of.name === '' && node.kind !== 'each' ? null : 'this';
  return classOf(field) === 'phi' ? field : null;
}

/** The field of the person behind a path; null for the person as a whole. */
function fieldOf({ name }: Reference): string | null {
  return /^\[([^\]]+)\]/.exec(name ?? '')?.[1] ?? /^[^.[]+/.exec(name ?? '')?.[0] ?? null;
}
