import type { Say } from '../../model/phrases.ts';
import type { PageWord } from '../words/page-words.ts';
import { wordsOf } from '../words/words-of.ts';
import { attributes, type Content, type Html, html } from './html.ts';
import { documentOf } from './shell.ts';

/** Pages that say one thing and ask nothing. */
export type PlainMessage = 'closed' | 'full' | 'notFound' | 'linkUsed' | 'expired' | 'refused';

/** A password or a code is typed into a control of that name; the controls that are given travel with it. */
export type Message =
  | { kind: PlainMessage }
  | { kind: 'alreadySent'; sent?: Sent }
  | { kind: 'thanks'; receipt: string | null; sent?: Sent }
  | Entry;

interface Entry {
  kind: 'password' | 'code';
  action: string;
  controls: Readonly<Record<string, string>>;
  isWrong: boolean;
  /** What is wrong, where it is not what was typed. */
  problem?: PageWord;
}

/** The form that was sent, and the script that forgets its answers and tells the page around. */
interface Sent {
  form: string;
  script: string | null;
}

/** A small page: that a form cannot be filled in, that it was sent, or that something is wanted first. */
export function renderMessage(message: Message, language: string, nonce: string): string {
  const words = wordsOf(language);
  const { say } = words;
  const title = say(`${message.kind}Title`);
  const isWrong = 'isWrong' in message && message.isWrong;
  const sent = 'sent' in message ? message.sent : undefined;
  const card = attributes({ class: 'card', 'data-sent': sent?.form });
  const script = sent?.script && html`<script${attributes({ type: 'module', src: sent.script, nonce })}></script>`;
  return documentOf(
    { language: words.tag, nonce, title: isWrong ? words.sayOfScript('errorTitle', title) : title },
    html`<div${card}><h1>${title}</h1><p>${say(`${message.kind}Text`)}</p>${more(message, say)}</div>${script}`,
  );
}

function more(message: Message, say: Say<PageWord>): Content {
  if (message.kind === 'thanks') {
    if (message.receipt === null) return null;
    return html`<p class="label">${say('receipt')}</p><p class="receipt">${message.receipt}</p>`;
  }
  return message.kind === 'password' || message.kind === 'code' ? entryForm(message, say) : null;
}

function entryForm({ kind, action, controls, isWrong, problem: word }: Entry, say: Say<PageWord>): Html {
  const problem = isWrong && html`<p class="problem" id="problem" role="alert">${say(word ?? `${kind}Wrong`)}</p>`;
  const given = attributes({
    type: kind === 'password' ? 'password' : 'text',
    id: 'entry',
    name: kind,
    autocomplete: kind === 'password' ? 'off' : 'one-time-code',
    inputmode: kind === 'code' ? 'numeric' : null,
    required: true,
    autofocus: true,
    'aria-invalid': isWrong ? 'true' : null,
    'aria-describedby': isWrong ? 'problem' : null,
  });
  const hidden = Object.entries(controls).map(([name, value]) => {
    return html`<input${attributes({ type: 'hidden', name, value })}>`;
  });
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${hidden}
<div class="question"><label for="entry">${say(`${kind}Label`)}</label>${problem}<input${given}></div>
<button>${say('goOn')}</button></form>`;
}
