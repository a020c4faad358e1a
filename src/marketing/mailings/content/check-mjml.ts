import { Parser } from 'htmlparser2';

const HEAD =
  'mj-head mj-attributes mj-all mj-class mj-breakpoint mj-html-attributes mj-selector mj-html-attribute mj-preview mj-style mj-title';
const BODY =
  'mj-body mj-accordion mj-accordion-element mj-accordion-title mj-accordion-text mj-button mj-carousel mj-carousel-image mj-column mj-divider mj-group mj-hero mj-image mj-navbar mj-navbar-link mj-raw mj-section mj-social mj-social-element mj-spacer mj-table mj-text mj-wrapper';
const KNOWN = new Set(['mjml', ...HEAD.split(' '), ...BODY.split(' ')]);

/** Where MJML breaks a rule, and which. */
export interface MjmlFault {
  offset: number;
  rule: string;
}

/** The first mistake in MJML that the compiler would pass over in silence, or that would fetch something. */
export function faultInMjml(mjml: string): MjmlFault | null {
  let fault: MjmlFault | null = null;
  const note = (rule: string | null) => {
    if (rule !== null) fault ??= { offset: parser.startIndex, rule };
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        note(ruleAgainst(name, attributes));
      },
      onclosetag(name, isImplied) {
        const isOpen = isImplied && isMjml(name) && !isSelfClosing(mjml, parser.endIndex);
        if (isOpen) note('this element is not closed');
      },
    },
    { xmlMode: true },
  );
  parser.end(mjml);
  return fault;
}

function ruleAgainst(name: string, attributes: Record<string, string>): string | null {
  if (name === 'mj-include') return 'mj-include is not supported';
  if (name === 'mj-font') return 'mj-font is not supported, for every reader would fetch it from elsewhere';
  if (isMjml(name) && !KNOWN.has(name)) return 'there is no such MJML element';
  // Without one, the compiler takes an icon from the site of the makers of MJML.
  if (name === 'mj-social-element' && !('src' in attributes)) return 'mj-social-element needs a src';
  return null;
}

function isMjml(name: string): boolean {
  return name === 'mjml' || name.startsWith('mj-');
}

function isSelfClosing(mjml: string, end: number): boolean {
  return mjml.slice(0, end + 1).endsWith('/>');
}
