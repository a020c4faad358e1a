import { CODE_DIGITS, CODE_MINUTES } from '../../../platform/one-time-codes/rules.ts';
import { attributes, type Content, type Html, html } from '../../page/render/html.ts';
import { documentOf } from '../../page/render/shell.ts';
import { DRAFT_DAYS } from '../save-draft.ts';
import { type DraftWord, draftWordsOf } from '../words/draft-words.ts';

/** A page that is written once its nonce is known. */
export type Page = (nonce: string) => string;

/** What went wrong just now. */
export type Problem = readonly [DraftWord, (number | string)?];

interface Saved {
  language: string;
  /** The address of the form. */
  base: string;
  /** What the page carries of the draft. */
  held: string;
  /** Whether the way back was mailed before. */
  isMailed: boolean;
  problem?: Problem;
}

/** Says that a draft was saved, and asks where to mail the way back to, unless that was done. */
export function savedPage({ language, base, held, isMailed, problem }: Saved): Page {
  const { say } = draftWordsOf(language);
  const ask = html`<p>${say('askText')}</p>${form(`${base}/drafts/mail`, [
    hidden('draft', held),
    entry(
      'email',
      say('emailLabel'),
      { type: 'email', autocomplete: 'email', maxlength: 254 },
      said(language, problem),
    ),
    html`<button>${say('sendLink')}</button>`,
  ])}`;
  return page(language, 'savedTitle', [
    isMailed ? html`<p>${say('savedText', DRAFT_DAYS)}</p>` : ask,
    form(`${base}/drafts/open`, [hidden('draft', held), html`<button class="quiet">${say('goOnNow')}</button>`]),
  ]);
}

/** Says that the way back was mailed. */
export function sentPage(language: string): Page {
  return page(language, 'sentTitle', html`<p>${draftWordsOf(language).say('sentText', DRAFT_DAYS)}</p>`);
}

interface Entrance {
  language: string;
  /** The address of the way back. */
  base: string;
  /** Whether a code was sent and waits to be entered. */
  isAwaited: boolean;
  problem?: Problem;
}

/** Where the link of a draft leads: sends a code and takes it. */
export function entrancePage({ problem, ...entrance }: Entrance): Page {
  const told = problem === undefined ? null : draftWordsOf(entrance.language).say(...problem);
  return page(entrance.language, 'resumeTitle', drawCodeForms({ ...entrance, problem: told }));
}

/** What a page needs to send a code and take it. */
export interface CodeEntry {
  language: string;
  /** Codes are asked for at `/code` below this address, and entered at `/open`. */
  base: string;
  isAwaited: boolean;
  /** What went wrong just now, in words. */
  problem: string | null;
}

/** Sends a code and takes it. */
export function drawCodeForms({ language, base, isAwaited, problem }: CodeEntry): Content {
  const { say } = draftWordsOf(language);
  const wrong = problem === null ? null : alert(problem);
  const code = { type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 20 };
  const take = form(`${base}/open`, [
    html`<p>${say('codeSent', CODE_MINUTES)}</p>`,
    entry('code', say('codeLabel', CODE_DIGITS), code, wrong),
    html`<button>${say('openForm')}</button>`,
  ]);
  const send = form(`${base}/code`, [
    html`<p>${say(isAwaited ? 'nothingCame' : 'resumeText')}</p>${!isAwaited && wrong}`,
    html`<button${attributes({ class: isAwaited ? 'quiet' : null })}>${say(isAwaited ? 'anotherCode' : 'sendCode')}</button>`,
  ]);
  return [isAwaited && take, send];
}

/** For a link that leads nowhere any more. */
export function gonePage(language: string, base: string): Page {
  const { say } = draftWordsOf(language);
  return page(
    language,
    'goneTitle',
    html`<p>${say('goneText', DRAFT_DAYS)}</p><p><a href="${base}">${say('beginAnew')}</a></p>`,
  );
}

function page(language: string, titled: DraftWord, content: Content): Page {
  const { tag, say } = draftWordsOf(language);
  const title = say(titled);
  return (nonce) =>
    documentOf({ language: tag, nonce, title }, html`<div class="card"><h1>${title}</h1>${content}</div>`);
}

function form(action: string, content: Content): Html {
  return html`<form method="post" action="${action}">${content}</form>`;
}

function hidden(name: string, value: string): Html {
  return html`<input${attributes({ type: 'hidden', name, value })}>`;
}

function said(language: string, problem: Problem | undefined): Html | null {
  return problem === undefined ? null : alert(draftWordsOf(language).say(...problem));
}

function alert(words: string): Html {
  return html`<p class="problem" id="problem" role="alert">${words}</p>`;
}

function entry(name: string, label: string, given: Record<string, string | number>, wrong: Html | null): Html {
  const control = attributes({
    id: 'entry',
    name,
    ...given,
    required: true,
    'aria-invalid': wrong === null ? null : 'true',
    'aria-describedby': wrong === null ? null : 'problem',
  });
  return html`<div class="question"><label for="entry">${label}</label>${wrong}<input${control}></div>`;
}
