import type { Page } from '../../model/form-model.ts';
import type { PageView } from '../view.ts';
import { wordsOf } from '../words/words-of.ts';
import { drawButtons, drawDefaultButton } from './buttons.ts';
import { titleOf } from './heading.ts';
import { attributes, type Html, html } from './html.ts';
import { drawItem } from './items.ts';
import { drawLanguageButtons, drawLanguageLinks } from './languages.ts';
import { customerCss, inLayout, LAYOUT_CLASS } from './layout.ts';
import { drawPageData } from './page-data.ts';
import { Drawing } from './place.ts';
import { documentOf } from './shell.ts';
import { drawSigning } from './signature.ts';
import { drawNotes, drawProblems } from './summary.ts';

const NO_PAGE: Page = { id: 'page-1', title: null, showWhen: null, items: [] };

/** The whole document of one step of a form. It works without the script. */
export function renderForm(view: PageView, nonce: string, assets: { script: string | null }): string {
  const drawing = new Drawing(view);
  const page = pageOf(view);
  const hasTitle = page.title !== null && page.title !== view.title;
  const level = hasTitle ? 3 : 2;
  // The questions come first, as problems lead to their controls.
  const items = inLayout(view, page, (item) => drawItem(drawing, item, level));
  const isLast = view.step >= view.steps - 1;
  const signing = isLast && drawSigning(drawing);
  const form = html`<form id="carepost-form" method="post" action="${view.action}" enctype="multipart/form-data" novalidate>
${drawDefaultButton(isLast)}${drawHiddenControls(drawing)}
${inSeal(
  view,
  html`<div class="${LAYOUT_CLASS}">
${hasTitle && titleOf(page.title ?? '', 2)}${items}${signing}
${drawButtons(drawing, isLast)}</div>`,
)}${drawLanguageButtons(drawing)}${drawHoneypot(drawing)}
</form>`;
  const script = assets.script !== null && [
    drawPageData(drawing, page, nonce),
    html`<script type="module" src="${assets.script}" nonce="${nonce}" defer></script>`,
  ];
  return documentOf(
    { language: view.language, nonce, title: titleInWords(drawing), css: customerCss(view) },
    html`${drawLanguageLinks(drawing)}${drawHead(drawing)}${drawProblems(drawing)}${drawNotes(drawing)}${form}${script}`,
  );
}

/** Nothing can be typed, let alone sent, before the script is there that encrypts it. */
function inSeal({ sealedTo }: PageView, inside: Html): Html {
  return sealedTo.length === 0 ? inside : html`<fieldset data-sealed disabled>${inside}</fieldset>`;
}

/** The page that is shown: steps are those that are asked. */
function pageOf({ model, step, isAsked }: PageView): Page {
  return model.pages.filter((page) => isAsked(page))[step] ?? model.pages[0] ?? NO_PAGE;
}

function drawHead({ view, say }: Drawing): Html {
  const description =
    view.description !== null && view.step === 0 && html`<p class="description">${view.description}</p>`;
  const step = view.steps > 1 && html`<p class="step">${stepInWords(view)}</p>`;
  const script = view.sealedTo.length > 0 && html`<noscript><p class="notes">${say('needsScript')}</p></noscript>`;
  return html`<header><h1>${view.title}</h1>${step}${description}${script}</header>`;
}

function stepInWords({ language, step, steps }: PageView): string {
  return wordsOf(language)
    .say('step', step + 1)
    .replace('{m}', String(steps));
}

function titleInWords({ view, words }: Drawing): string {
  const title = view.steps > 1 ? `${view.title} – ${stepInWords(view)}` : view.title;
  return Object.keys(view.problems).length > 0 ? words.sayOfScript('errorTitle', title) : title;
}

/** What travels with the page: the questions that were shown, and what the view says. */
function drawHiddenControls({ view, seen }: Drawing): Html[] {
  const controls = { _seen: JSON.stringify(seen), ...view.controls };
  return Object.entries(controls).map(([name, value]) => {
    return html`<input${attributes({ type: 'hidden', name, value })}>`;
  });
}

/** Nobody sees it, so that only programs fill it in. */
function drawHoneypot({ say }: Drawing): Html {
  const input = html`<input type="text" id="website" name="website" tabindex="-1" autocomplete="off">`;
  return html`<div class="aside" aria-hidden="true"><label for="website">${say('leaveEmpty')}</label>${input}</div>`;
}
