import type { Answers, Page } from '../../model/form-model.ts';
import { questionsOf } from '../../model/questions.ts';
import { SEAL_WORDS, type SealWord } from '../script/seal-words.ts';
import type { Words } from '../words/words-of.ts';
import { Html, html } from './html.ts';
import type { Drawing } from './place.ts';

/** What the script needs to know, as the one block of data in the page. */
export function drawPageData({ view, words }: Drawing, page: Page, nonce: string): Html {
  const data = {
    formId: view.formId,
    version: view.version,
    model: view.model,
    language: words.tag,
    problems: words.problems,
    words: words.script,
    today: view.today,
    step: view.step,
    answers: answersBeside(page, view.answers),
    uploadUrl: `/f/${view.formId}/files`,
    proofUrl: view.proofOfWork ? `/f/${view.formId}/challenge` : null,
    sealedTo: view.sealedTo,
    sealWords: view.sealedTo.length === 0 ? {} : sealWordsOf(words),
  };
  // Within a script element only its end could be mistaken, and comments: both begin with this sign.
  const json = new Html(JSON.stringify(data).replaceAll('<', '\\u003c'));
  return html`<script type="application/json" id="carepost-data" nonce="${nonce}">${json}</script>`;
}

/** What the browser says itself where the server reads nothing. */
function sealWordsOf({ say }: Words): Partial<Record<SealWord, string>> {
  return Object.fromEntries(SEAL_WORDS.map((word) => [word, say(word)]));
}

/** The answers of all other steps. */
function answersBeside(page: Page, answers: Answers): Answers {
  const own = new Set(questionsOf({ shape: 'pages', pages: [page], takesFiles: true }).map(({ name }) => name));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !own.has(name)));
}
