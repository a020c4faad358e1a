import type { PageView } from '../view.ts';
import { isSpoken, mainPart, wordsOf } from '../words/words-of.ts';
import { attributes, type Html, html } from './html.ts';
import type { Drawing } from './place.ts';

/** Leads to the form in its other languages, as long as nothing would be lost by it. */
export function drawLanguageLinks({ view, say }: Drawing): Html | null {
  if (view.languages.length < 2 || !isFresh(view)) return null;
  const links = view.languages.map((tag) => {
    const given = attributes({
      href: `${view.action}?language=${encodeURIComponent(tag)}`,
      hreflang: tag,
      lang: tag,
      'aria-current': tag === view.language ? 'true' : null,
    });
    return html`<li><a${given}>${nameOf(tag)}</a></li>`;
  });
  return html`<nav class="languages" aria-label="${say('language')}"><ul>${links}</ul></nav>`;
}

/** Once there are answers, they are sent along. */
export function drawLanguageButtons({ view, say }: Drawing): Html | null {
  const others = view.languages.filter((tag) => tag !== view.language);
  if (others.length === 0 || isFresh(view)) return null;
  const buttons = others.map((tag) => {
    return html`<button${attributes({ class: 'small', name: '_language', value: tag, lang: tag })}>${nameOf(tag)}</button>`;
  });
  return html`<div class="buttons" role="group" aria-label="${say('language')}">${buttons}</div>`;
}

function isFresh({ step, answers, files, sealedTo }: PageView): boolean {
  // What only the customer may read is not sent along.
  if (sealedTo.length > 0) return true;
  return step === 0 && Object.keys(answers).length === 0 && Object.keys(files).length === 0;
}

/** What a language is called by those who speak it. */
function nameOf(tag: string): string {
  if (isSpoken(tag) && mainPart(tag) === tag.toLowerCase()) return wordsOf(tag).ownName;
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
