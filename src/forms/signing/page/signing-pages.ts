import { type CodeEntry, drawCodeForms, type Page } from '../../drafts/page/draft-pages.ts';
import type { Content, Html } from '../../page/render/html.ts';
import { attributes, html } from '../../page/render/html.ts';
import { customerCss } from '../../page/render/layout.ts';
import { drawPageData } from '../../page/render/page-data.ts';
import { Drawing } from '../../page/render/place.ts';
import { drawReadOnly } from '../../page/render/read-only.ts';
import { documentOf } from '../../page/render/shell.ts';
import { drawSigning } from '../../page/render/signature.ts';
import { drawProblems } from '../../page/render/summary.ts';
import type { PageView, ShownSignature } from '../../page/view.ts';
import type { SubmittedFile } from '../../submissions/sealed-submission.ts';
import { type SigningWord, signingWordsOf } from '../words/signing-words.ts';

const NO_PAGE = { id: 'page-1', title: null, showWhen: null, items: [] };

/** Where a link leads: whose wish it is, and nothing of what waits. A code opens it. */
export function entrancePage(clinic: string, entry: CodeEntry): Page {
  const { say } = signingWordsOf(entry.language);
  return page(entry.language, 'waitsTitle', [html`<p>${say('waitsText', clinic)}</p>`, drawCodeForms(entry)]);
}

/** Says one thing: that somebody has signed, has declined, or that there is nothing to sign. */
export function plainPage(language: string, what: 'signed' | 'declined' | 'gone'): Page {
  return page(language, `${what}Title`, html`<p>${signingWordsOf(language).say(`${what}Text`)}</p>`);
}

/** All that somebody reads and signs. */
export interface ToSign {
  /** The submission as it was given. */
  view: PageView;
  files: readonly SubmittedFile[];
  /** Names the signer to the script, which must not mix them up with the form. */
  signerId: string;
  role: string;
  consentText: string;
  given: ShownSignature | null;
  problems: string[];
  language: string;
  /** The address of the link. */
  base: string;
  pass: string;
  script: string | null;
}

/** The submission with nothing to change, and below it the signature. It works without the script. */
export function signPage(toSign: ToSign): Page {
  const { view, base, files } = toSign;
  const { tag, say } = signingWordsOf(toSign.language);
  const drawing = new Drawing(signingView(toSign));
  const signing = drawSigning(drawing);
  const form = html`<form id="carepost-form" method="post" action="${base}/sign" enctype="multipart/form-data" novalidate>
${hidden('_pass', toSign.pass)}${hidden('_language', tag)}
<p class="label">${say('signAs', toSign.role)}</p>${signing}
<div class="buttons"><button name="_go" value="submit">${say('sign')}</button>
<button class="quiet" name="_go" value="decline">${say('decline')}</button></div></form>`;
  const listed = files.length > 0 && [
    html`<h2>${say('files')}</h2>`,
    html`<ul class="files">${files.map((file) => fileEntry(toSign, file))}</ul>`,
  ];
  const title = say('readTitle');
  return (nonce) => {
    const script = toSign.script !== null && [
      drawPageData(drawing, NO_PAGE, nonce),
      html`<script${attributes({ type: 'module', src: toSign.script, nonce, defer: true })}></script>`,
    ];
    return documentOf(
      { language: tag, nonce, title: titled(drawing, title), css: customerCss(view) },
      html`${drawProblems(drawing)}<div class="notes"><p class="label">${title}</p><p>${say('readText')}</p></div>
<div${attributes({ lang: view.language })}>${drawReadOnly(view)}</div>
<div class="card">${listed}${form}</div>${script}`,
    );
  };
}

/** The same block as on the page of a form, and nothing else of it. */
function signingView({ view, signerId, consentText, given, problems, language }: ToSign): PageView {
  return {
    ...view,
    formId: signerId,
    model: { ...view.model, pages: [NO_PAGE] },
    answers: {},
    language,
    signing: { label: consentText, given },
    problems: problems.length === 0 ? {} : { _signature: problems },
  };
}

function titled({ view, words }: Drawing, title: string): string {
  return Object.keys(view.problems).length > 0 ? words.sayOfScript('errorTitle', title) : title;
}

function fileEntry({ base, pass, language }: ToSign, { id, name }: SubmittedFile): Html {
  return html`<li><form method="post" action="${base}/files/${id}">${hidden('_pass', pass)}${hidden('_language', language)}
<button class="quiet">${name}</button></form></li>`;
}

function hidden(name: string, value: string): Html {
  return html`<input${attributes({ type: 'hidden', name, value })}>`;
}

function page(language: string, titledAs: SigningWord, content: Content): Page {
  const { tag, say } = signingWordsOf(language);
  const title = say(titledAs);
  return (nonce) =>
    documentOf({ language: tag, nonce, title }, html`<div class="card"><h1>${title}</h1>${content}</div>`);
}
