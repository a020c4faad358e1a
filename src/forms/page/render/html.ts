import { escapeHtml } from '../../../platform/http/pages/plain-page.ts';

const SPECIAL = /[&"'<>]/;

/** HTML that is whole and safe to stand where it is put. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may be put into HTML: texts are escaped, and what is null, false or undefined leaves nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Writes HTML around values, of which none can become markup unless it is HTML already. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((text, part, i) => text + written(values[i - 1]) + part));
}

/** Attributes of an element; true stands for one without a value, and what is null, false or undefined is left out. */
export function attributes(given: Record<string, string | number | boolean | null | undefined>): Html {
  const texts = Object.entries(given).map(([name, value]) => {
    if (value === null || value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`;
  });
  return new Html(texts.join(''));
}

/** Most texts have nothing to escape. */
function escaped(text: string): string {
  return SPECIAL.test(text) ? escapeHtml(text) : text;
}

function written(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return escaped(String(value));
}
